package io.pgstress.plan.custom;

import io.pgstress.plan.RunOptions;
import io.pgstress.plan.WeightedOperation;
import io.pgstress.plan.option.Form;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Group;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.script.Script;
import io.pgstress.plan.script.ScriptParser;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The user-defined operations from the files of {@code --operations}. */
public final class CustomOperations {
    public static final Option<List<OperationsSource>> FILES = files(text -> read(Forms.path(text)));

    private static Option<List<OperationsSource>> files(Form<OperationsSource> read) {
        return Option.list("operations", "FILE", read)
                .help(
                        Group.WHAT,
                        "your own operations: YAML, or a script of pgbench",
                        "They are then names for --op. docs/operations.md has the format of YAML files; a script is an operation"
                                + " with the name of its file.");
    }

    /**
     * {@link #FILES} on a host that has not these files: messages name them as the user does.
     *
     * @param contents by the names in the options
     */
    public static Option<List<OperationsSource>> ofContents(Map<String, String> contents) {
        return files(name -> {
            String content = contents.get(name);
            if (content == null) {
                throw new IllegalArgumentException(name + " was not sent to this host");
            }
            return isYaml(name)
                    ? new OperationsSource.OfYaml(OperationsFile.read(content, name))
                    : new OperationsSource.OfScript(ScriptParser.parse(content, name));
        });
    }

    /** What a file defines. */
    public sealed interface OperationsSource {
        /** A YAML file. */
        record OfYaml(List<CustomOperation> operations) implements OperationsSource {}

        /** A script of pgbench. */
        record OfScript(Script script) implements OperationsSource {}
    }

    private CustomOperations() {}

    /** Whether a file of this name is read as YAML; all others are scripts of pgbench. */
    public static boolean isYaml(String file) {
        String name = file.toLowerCase(Locale.ROOT);
        return name.endsWith(".yaml") || name.endsWith(".yml");
    }

    /**
     * What a file defines.
     *
     * @throws InvalidPlanException with every problem in it
     * @throws IllegalArgumentException if it cannot be read
     */
    public static OperationsSource read(Path path) {
        return isYaml(path.toString())
                ? new OperationsSource.OfYaml(OperationsFile.read(path))
                : new OperationsSource.OfScript(ScriptParser.read(path));
    }

    /** All operations of YAML files, in the order of the files. */
    public static List<CustomOperation> all(Options options) {
        return options.get(FILES).stream()
                .flatMap(source ->
                        source instanceof OperationsSource.OfYaml yaml ? yaml.operations.stream() : Stream.of())
                .toList();
    }

    /** All scripts, in the order of the files. */
    public static List<Script> scripts(Options options) {
        return options.get(FILES).stream()
                .flatMap(source ->
                        source instanceof OperationsSource.OfScript script ? Stream.of(script.script) : Stream.of())
                .toList();
    }

    public static List<CustomOperation> ofMix(Options options) {
        List<String> mix = WeightedOperation.names(options.get(RunOptions.OP));
        return all(options).stream().filter(o -> mix.contains(o.name())).toList();
    }
}
