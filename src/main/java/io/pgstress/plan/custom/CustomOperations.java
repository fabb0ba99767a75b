package io.pgstress.plan.custom;

import io.pgstress.plan.RunOptions;
import io.pgstress.plan.WeightedOperation;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Group;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import java.util.List;

/** The user-defined operations from the files of {@code --operations}. */
public final class CustomOperations {
    public static final Option<List<List<CustomOperation>>> FILES = Option.list(
                    "operations", "FILE", text -> OperationsFile.read(Forms.path(text)))
            .help(
                    Group.WHAT,
                    "YAML file with your own operations",
                    "They are then names for --op. The format is in docs/operations.md.");

    private CustomOperations() {}

    /** All operations, in the order of the files. */
    public static List<CustomOperation> all(Options options) {
        return options.get(FILES).stream().flatMap(List::stream).toList();
    }

    public static List<CustomOperation> ofMix(Options options) {
        List<String> mix = WeightedOperation.names(options.get(RunOptions.OP));
        return all(options).stream().filter(o -> mix.contains(o.name())).toList();
    }
}
