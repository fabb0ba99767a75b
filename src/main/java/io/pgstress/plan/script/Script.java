package io.pgstress.plan.script;

import io.pgstress.plan.option.Group;
import io.pgstress.plan.option.Option;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A script in the language of pgbench. Immutable.
 *
 * @param file its name as given; empty: a script of this program's own
 * @param text the whole script
 * @param commands at least one
 * @param slots the numbers of the variables that it names, from 0
 */
public record Script(String file, String text, List<ScriptCommand> commands, Map<String, Integer> slots) {
    /** Variables that every script has. */
    public static final String SCALE = "scale";

    public static final String CLIENT_ID = "client_id";
    public static final String RANDOM_SEED = "random_seed";
    public static final String DEFAULT_SEED = "default_seed";

    private static final Set<String> GIVEN = Set.of(SCALE, CLIENT_ID, RANDOM_SEED, DEFAULT_SEED);

    public static final Option<Map<String, String>> DEFINE = Option.pairs("define")
            .letter("D")
            .refusedIf(options -> invalidNames(options.get(Script.DEFINE).keySet()))
            .help(
                    Group.WORKLOAD,
                    "variable of pgbench's scripts, such as rows=50",
                    "Values of scale, client_id, random_seed and default_seed replace pgbench's.");

    public Script {
        commands = List.copyOf(commands);
        slots = Collections.unmodifiableMap(new LinkedHashMap<>(slots));
    }

    private static String invalidNames(Set<String> names) {
        return names.stream()
                .filter(name -> !ScriptText.isName(name))
                .findFirst()
                .map(name -> "'" + name + "' is not the name of a variable: it must be letters, digits and _")
                .orElse("");
    }

    /** Whether a variable can have this name. */
    public static boolean isVariable(String name) {
        return ScriptText.isName(name);
    }

    /** Whether a variable has a value when the script runs: it has always, is defined, or a {@code \set} of the script assigns it. */
    public boolean hasValue(String name, Set<String> defined) {
        return GIVEN.contains(name) || defined.contains(name) || isAssigned(name);
    }

    /** Whether it is a script of this program's own. */
    public boolean isShipped() {
        return file.isEmpty();
    }

    /** The name of its operation: that of the file without its extension, with {@code _} for what a mix cannot name. */
    public static String nameOf(String file) {
        String name = String.valueOf(Path.of(file).getFileName());
        int dot = name.lastIndexOf('.');
        return (dot > 0 ? name.substring(0, dot) : name).replaceAll("[^\\p{L}\\p{N}_-]", "_");
    }

    /** A message about one of its lines; of a script of this program's own, the problem. */
    public String message(int line, String problem) {
        return isShipped() ? problem : file + ":" + line + ": " + problem;
    }

    /** The name of the variable with this number. */
    public String variable(int slot) {
        return slots.entrySet().stream()
                .filter(entry -> entry.getValue() == slot)
                .findFirst()
                .orElseThrow()
                .getKey();
    }

    /** Its SQL, in order. */
    public List<ScriptCommand.Send> sends() {
        return commands.stream()
                .flatMap(command -> command instanceof ScriptCommand.Send send ? Stream.of(send) : Stream.of())
                .toList();
    }

    /**
     * The problems with variables of expressions that nothing gives a value.
     *
     * @param defined the variables of {@link #DEFINE}
     */
    public List<String> undefined(Set<String> defined) {
        if (sends().stream().anyMatch(send -> send.gather() != null)) {
            return List.of(); // the names of columns are known when the server answers
        }
        List<String> problems = new ArrayList<>();
        for (ScriptCommand command : commands) {
            variablesOf(command)
                    .map(Expression.Variable::name)
                    .filter(name -> !hasValue(name, defined))
                    .distinct()
                    .forEach(name -> problems.add(message(
                            command.line(),
                            "undefined variable '" + name + "'; give it a value with \\set or -D " + name + "=VALUE")));
        }
        return problems;
    }

    private boolean isAssigned(String name) {
        return commands.stream()
                .anyMatch(command -> command instanceof ScriptCommand.Assign assign
                        && assign.variable().name().equals(name));
    }

    /** The variables whose values a command needs. */
    private static Stream<Expression.Variable> variablesOf(ScriptCommand command) {
        if (command instanceof ScriptCommand.Assign assign) {
            return variablesOf(assign.value());
        }
        if (command instanceof ScriptCommand.Branch branch) {
            return variablesOf(branch.condition());
        }
        return command instanceof ScriptCommand.Sleep sleep ? Stream.ofNullable(sleep.variable()) : Stream.of();
    }

    private static Stream<Expression.Variable> variablesOf(Expression expression) {
        if (expression instanceof Expression.Variable variable) {
            return Stream.of(variable);
        }
        return expression instanceof Expression.Call call
                ? call.arguments().stream().flatMap(Script::variablesOf)
                : Stream.of();
    }
}
