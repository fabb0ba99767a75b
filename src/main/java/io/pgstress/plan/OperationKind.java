package io.pgstress.plan;

import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Problems;
import java.util.List;

/**
 * What options have to know of an operation.
 *
 * @param names its name, then its other names
 * @param options those that have an effect on it, beside the ones that have an effect on every operation
 * @param isSelfContained whether it needs no table to be named
 * @param isFinite whether it is done at some time
 * @param check finds options that it cannot be run with
 */
public record OperationKind(
        List<String> names, List<Option<?>> options, boolean isSelfContained, boolean isFinite, Check check) {
    public OperationKind {
        names = List.copyOf(names);
        options = List.copyOf(options);
    }

    /** An operation on documents without options of its own. */
    public OperationKind(String name) {
        this(List.of(name), List.of(), false, false, (spec, problems) -> {});
    }

    /** Finds what is wrong before a server is opened. */
    @FunctionalInterface
    public interface Check {
        void on(RunSpec spec, Problems problems);
    }
}
