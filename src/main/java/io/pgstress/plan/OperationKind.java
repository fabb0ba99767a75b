package io.pgstress.plan;

import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Problems;
import java.util.List;

/**
 * What must be known of an operation to check the options of a run.
 *
 * @param names its name, followed by its aliases
 * @param options the options that affect it, in addition to those that affect every operation
 * @param isSelfContained whether it can run without {@code --table}
 * @param isFinite whether it ends by itself when its work is finished
 * @param copy what it needs in the copy table
 * @param check rejects options that it does not support
 */
public record OperationKind(
        List<String> names,
        List<Option<?>> options,
        boolean isSelfContained,
        boolean isFinite,
        CopyContent copy,
        Check check) {
    /** What the copy table is filled with before a run. */
    public enum CopyContent {
        NONE,
        EMPTY,
        FULL
    }

    public OperationKind {
        names = List.copyOf(names);
        options = List.copyOf(options);
    }

    /** An operation on documents without options of its own. */
    public OperationKind(String name) {
        this(List.of(name), List.of(), false, false, CopyContent.NONE, (spec, problems) -> {});
    }

    /** The operations with these names or aliases. */
    public static List<OperationKind> named(List<String> names, List<OperationKind> known) {
        return known.stream()
                .filter(kind -> kind.names.stream().anyMatch(names::contains))
                .toList();
    }

    /** Checks a run before any connection is opened. */
    @FunctionalInterface
    public interface Check {
        void on(RunSpec spec, Problems problems);
    }
}
