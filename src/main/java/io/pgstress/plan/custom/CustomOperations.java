package io.pgstress.plan.custom;

import io.pgstress.plan.RunOptions;
import io.pgstress.plan.WeightedOperation;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Group;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import java.util.List;

/** The user's own operations, as {@code --operations} names their files. */
public final class CustomOperations {
    public static final Option<List<List<CustomOperation>>> FILES = Option.list(
                    "operations", "FILE", text -> OperationsFile.read(Forms.path(text)))
            .help(Group.WHAT, "Your own operations for --op: a YAML file, see docs/operations.md.");

    private CustomOperations() {}

    /** All of them, in the files' order. */
    public static List<CustomOperation> all(Options options) {
        return options.get(FILES).stream().flatMap(List::stream).toList();
    }

    /** Those of the mix. */
    public static List<CustomOperation> ofMix(Options options) {
        List<String> mix =
                options.get(RunOptions.OP).stream().map(WeightedOperation::name).toList();
        return all(options).stream().filter(o -> mix.contains(o.name())).toList();
    }
}
