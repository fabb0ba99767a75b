package io.pgstress.cli;

import io.pgstress.operation.table.WorkloadOptions;
import io.pgstress.operation.workload.Operations;
import io.pgstress.plan.OperationNames;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Nearest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/**
 * The options that pgbench and sysbench have and this program does not, or not by this name. Those with an exact equivalent work. A command
 * line with another one is refused with a command line to type instead. The help lists none of them.
 */
final class PgbenchOptions {
    private static final Set<String> VACUUMING = Set.of("tpcb", "simple_update");

    /** Stands for the value in {@link PgbenchOption#words}. */
    private static final String VALUE = "{}";

    private static final String OP = "--op";
    private static final String SHOW_SCRIPT = "--show-script";
    private static final String NO_VACUUM = "-n";
    private static final String CLEANUP = "cleanup";
    private static final String VACUUMED = "tpcb vacuums tellers and branches";
    private static final String MADE_BY_PGBENCH = "a run uses the tables that pgbench -i made";
    private static final String CREATED = "a run creates missing tables";
    private static final String IN_REPORT = "it is in every report";
    private static final String KIND = "every server here is PostgreSQL's kind";
    private static final String SERVER = "servers are named as for psql";
    private static final String LOG_FILE = "--pgbench-log names the file";

    /**
     * An option of pgbench.
     *
     * @param names its names, separated by spaces
     * @param hasValue whether it takes a value
     * @param words the equivalent option here; empty if there is none
     * @param reason why one has to type something else; empty if the option works unchanged
     */
    private record PgbenchOption(String names, boolean hasValue, String words, String reason) {}

    private static final List<PgbenchOption> OF_PGBENCH = List.of(
            works("-C", false, "--connect per-transaction"),
            works("-F", true, "--fillfactor {}"),
            works("-L", true, "--latency-limit {}ms"),
            works("-N --skip-some-updates", false, "--op simple_update"),
            works("-S --select-only", false, "--op select_only"),
            works("--client", true, "--clients {}"),
            works("--progress", true, "--interval {}"),
            works("--protocol", true, "--statement {}"),
            works("--random-seed", true, "--seed {}"),
            works("--tablespace", true, "--tablespaces {}"),
            works("--time", true, "--duration {}"),
            works("--unlogged-tables", false, "--unlogged"),
            new PgbenchOption("-i --initialize", false, "", CREATED),
            new PgbenchOption("-I --init-steps", true, "", CREATED),
            new PgbenchOption(NO_VACUUM + " --no-vacuum", false, "", ""),
            new PgbenchOption("-v --vacuum-all", false, "", VACUUMED),
            new PgbenchOption("-j --jobs", true, "", "clients need no threads"),
            new PgbenchOption("--transactions", true, "--duration 60", "a run has a duration, such as 60 s"),
            new PgbenchOption("-r --report-per-command --report-latencies", false, "", IN_REPORT),
            new PgbenchOption("--failures-detailed", false, "", IN_REPORT),
            new PgbenchOption("--verbose-errors", false, "--verbose", "--verbose shows more of an error"),
            new PgbenchOption("--progress-timestamp", false, "--csv tables", "the CSV has times"),
            new PgbenchOption("-l --log", false, "--pgbench-log pgbench_log", LOG_FILE),
            new PgbenchOption("--log-prefix", true, "", LOG_FILE),
            new PgbenchOption("--sampling-rate", true, "", "all operations are logged"),
            new PgbenchOption(SHOW_SCRIPT, true, "", ""),
            new PgbenchOption("--foreign-keys", false, "", MADE_BY_PGBENCH),
            new PgbenchOption("--index-tablespace", true, "", MADE_BY_PGBENCH),
            new PgbenchOption("--partitions", true, "", MADE_BY_PGBENCH),
            new PgbenchOption("--partition-method", true, "", MADE_BY_PGBENCH));

    /** Those of sysbench and its OLTP scripts. */
    private static final List<PgbenchOption> OF_SYSBENCH = List.of(
            works("--table-size", true, "--table-rows {}"),
            works("--report-interval", true, "--interval {}"),
            works("--rand-type", true, "--key-distribution {}"),
            works("--rand-seed", true, "--seed {}"),
            works("--warmup-time", true, "--warmup {}"),
            new PgbenchOption("--db-driver", true, "", KIND),
            new PgbenchOption("--mysql-host", true, "", KIND),
            new PgbenchOption("--mysql-port", true, "", KIND),
            new PgbenchOption("--mysql-socket", true, "", KIND),
            new PgbenchOption("--mysql-user", true, "", KIND),
            new PgbenchOption("--mysql-password", true, "", KIND),
            new PgbenchOption("--mysql-db", true, "", KIND),
            new PgbenchOption("--pgsql-host", true, "--host {}", SERVER),
            new PgbenchOption("--pgsql-port", true, "--port {}", SERVER),
            new PgbenchOption("--pgsql-user", true, "--user {}", SERVER),
            new PgbenchOption("--pgsql-db", true, "-d {}", SERVER),
            new PgbenchOption("--pgsql-password", true, "", "PGPASSWORD or ~/.pgpass has it"),
            new PgbenchOption("--db-ps-mode", true, "", "-M prepared, extended or plain"),
            new PgbenchOption("--events", true, "--duration 60", "a run has a duration, such as 60 s"),
            new PgbenchOption("--auto-inc --auto_inc", true, "", "--id-order, of oltp_insert"),
            new PgbenchOption("--percentile", true, "", IN_REPORT),
            new PgbenchOption("--histogram", false, "", IN_REPORT));

    /** What sysbench does with a script, and what one has to know here instead. */
    private static final Map<String, String> COMMANDS_OF_SYSBENCH = Map.of(
            "prepare",
            "a run creates and fills missing tables",
            "run",
            "--op names the operation, and missing tables are created",
            "prewarm",
            "the warm-up does that",
            CLEANUP,
            "tables are kept for the next run");

    /** Programs that write dumps, or read them into MongoDB. */
    private static final Set<String> OF_MONGODB = Set.of("mongodump", "mongoexport", "mongoimport", "mongorestore");

    private final Map<String, List<String>> given;
    /** The command line to type instead, without the operations. */
    private final List<String> line = new ArrayList<>();

    /** The operations that {@code --op} names, and those of pgbench's options. */
    private final List<String> mix = new ArrayList<>();

    private final List<String> ofOptions = new ArrayList<>();
    /** By reason, what one has to type otherwise. */
    private final Map<String, Set<String>> reasons = new LinkedHashMap<>();

    /** Operations whose SQL is to be shown. */
    private final List<String> shown = new ArrayList<>();

    private boolean isWithoutVacuum;
    private boolean isOfSysbench;
    private boolean dropsTables;
    /** The hint if nothing on the command line is unusual but its first word; empty: there is none. */
    private String aloneIs = "";

    private PgbenchOptions(Map<String, List<String>> given) {
        this.given = new LinkedHashMap<>(given);
    }

    private static PgbenchOption works(String names, boolean hasValue, String words) {
        return new PgbenchOption(names, hasValue, words, "");
    }

    /** Declares the options, and the name of a database as an argument. */
    static void addTo(CommandSpec command) {
        for (PgbenchOption ofPgbench :
                Stream.of(OF_PGBENCH, OF_SYSBENCH).flatMap(List::stream).toList()) {
            OptionSpec.Builder option =
                    OptionSpec.builder(ofPgbench.names.split(" ", -1)).hidden(true);
            command.addOption(
                    ofPgbench.hasValue
                            ? option.arity("1")
                                    .type(List.class)
                                    .auxiliaryTypes(String.class)
                                    .userObject(ofPgbench)
                                    .build()
                            : option.arity("0")
                                    .type(boolean.class)
                                    .userObject(ofPgbench)
                                    .build());
        }
        command.addPositional(PositionalParamSpec.builder()
                .arity("0..*")
                .type(List.class)
                .auxiliaryTypes(String.class)
                .paramLabel("DBNAME")
                .hidden(true)
                .build());
    }

    /** The words of a run, in which {@code -h} with a host is {@code --host}. */
    static List<String> withHost(List<String> words) {
        List<String> copy = new ArrayList<>(words);
        for (int i = 0; i < copy.size(); i++) {
            String word = copy.get(i);
            boolean hasValue = i + 1 < copy.size() && !copy.get(i + 1).startsWith("-");
            if (word.equals("-h") && hasValue) {
                copy.set(i, "--host");
            } else if (word.startsWith("-h") && word.length() > 2) {
                copy.set(i, "--host=" + word.substring(2));
            }
        }
        return copy;
    }

    /**
     * The texts of the options of a run, by name, those that were given as options of pgbench included.
     *
     * @param given those that were given as options of this program
     * @throws InvalidPlanException with the command line to type, if an option of pgbench has no exact equivalent; also if an
     *     argument is no database
     */
    static Map<String, List<String>> read(ParseResult parsed, Map<String, List<String>> given) {
        PgbenchOptions options = new PgbenchOptions(given);
        parsed.matchedOptionsSet().forEach(options::take);
        options.takeDatabase(parsed);
        return options.result();
    }

    private void take(OptionSpec option) {
        List<String> values = option.stringValues();
        if (option.userObject() instanceof PgbenchOption ofPgbench) {
            (ofPgbench.hasValue ? values : List.of("")).forEach(value -> take(ofPgbench, value));
        } else if (option.longestName().equals(OP)) {
            mix.addAll(values);
        } else if (option.longestName().equals("--table") && values.stream().allMatch(PgbenchOptions::isNumber)) {
            differs("-t", "it is the table; a run has a duration, such as 60 s");
            line.addAll(List.of("-T", "60"));
            given.remove(RunOptions.TABLE.name());
        } else if (option.arity().max() == 0) {
            line.add(option.shortestName());
        } else {
            boolean isMillis = option.longestName().equals("--latency-limit");
            values.forEach(value ->
                    line.addAll(List.of(option.shortestName(), isMillis && isNumber(value) ? value + "ms" : value)));
        }
    }

    private void take(PgbenchOption ofPgbench, String value) {
        switch (ofPgbench.names.split(" ", -1)[0]) {
            case SHOW_SCRIPT -> lists(value);
            case NO_VACUUM -> isWithoutVacuum = true;
            default ->
                take(ofPgbench, value, ofPgbench.words.isEmpty() ? List.of() : List.of(ofPgbench.words.split(" ", -1)));
        }
    }

    private void take(PgbenchOption ofPgbench, String value, List<String> template) {
        if (!ofPgbench.reason.isEmpty()) {
            isOfSysbench |= OF_SYSBENCH.contains(ofPgbench);
            differs(ofPgbench.names.split(" ", -1)[0], ofPgbench.reason);
        }
        List<String> words =
                template.stream().map(word -> word.replace(VALUE, value)).toList();
        if (words.isEmpty()) {
            return;
        }
        if (words.get(0).equals(OP)) {
            mix.add(words.get(1));
            ofOptions.add(words.get(1));
        } else {
            set(words);
        }
    }

    private void set(List<String> words) {
        if (line.containsAll(words)) {
            return;
        }
        line.addAll(words);
        given.computeIfAbsent(words.get(0).substring(2), name -> new ArrayList<>())
                .add(words.size() > 1 ? words.get(1) : "true");
    }

    private void lists(String script) {
        shown.add(OperationNames.meant(script, Operations.names()).orElse(script));
        differs(SHOW_SCRIPT, "operations, with their SQL");
    }

    /** What to type instead of a program of MongoDB, with whatever options; empty if the command line does not begin with one. */
    static Optional<String> insteadOfMongodb(List<String> words) {
        return words.isEmpty() || !OF_MONGODB.contains(words.get(0))
                ? Optional.empty()
                : Optional.of(Streams.withCommand(
                        noCommand(words.get(0)) + "to load what mongodump or mongoexport wrote, type:",
                        Command.Argv.command(List.of(Subcommand.IMPORT.label(), "DUMP"))));
    }

    private void takeDatabase(ParseResult parsed) {
        List<String> arguments = Command.arguments(parsed);
        insteadOfMongodb(arguments).ifPresent(instead -> {
            throw new InvalidPlanException(instead);
        });
        if (arguments.isEmpty() || takeScriptOfSysbench(arguments)) {
            return;
        }
        boolean isTopic = arguments.get(0).equals(Commands.HELP_WORD) && arguments.size() > 1;
        String name = arguments.get(isTopic ? 1 : 0);
        boolean isFirst = arguments.equals(parsed.originalArgs().subList(0, arguments.size()));
        Optional<String> operation = isFirst ? OperationNames.meant(name, Operations.names()) : Optional.empty();
        boolean isExact = operation.equals(OperationNames.exact(name, Operations.names()));
        Optional<String> command = isFirst && !(operation.isPresent() && isExact)
                ? Nearest.of(name, Subcommand.briefs().keySet())
                : Optional.empty();
        if (operation.isPresent() && command.isEmpty() && (isTopic || arguments.size() == 1)) {
            takeOperation(name, operation.get(), isTopic);
            return;
        }
        if (arguments.size() > 1 || command.isPresent()) {
            throw new InvalidPlanException(noCommand(name)
                    + command.map(c -> "did you mean " + c + "?").orElse("see --help"));
        }
        aloneIs = isFirst ? noCommand(name) + "for a database of this name, type:" : "";
        differs(name, "-d names the database");
        line.addAll(List.of("-d", name));
    }

    private static String noCommand(String word) {
        return "'" + word + "' is not a command; ";
    }

    /** The name of an operation, or one that is similar, where a command could be. */
    private void takeOperation(String word, String operation, boolean isTopic) {
        if (isTopic) {
            throw new InvalidPlanException(Streams.withCommand(
                    noCommand(word) + "for the operation, type:",
                    Command.Argv.command(List.of(Subcommand.OPERATIONS.label(), operation))));
        }
        mix.add(operation);
        aloneIs = noCommand(word) + "--op names operations; type:";
        differs(word, "--op names operations");
    }

    /** {@code oltp_read_write run}. */
    private boolean takeScriptOfSysbench(List<String> arguments) {
        boolean isOne = arguments.size() == 2 && COMMANDS_OF_SYSBENCH.containsKey(arguments.get(1));
        if (isOne) {
            isOfSysbench = true;
            mix.add(arguments.get(0).replaceFirst(".*/", "").replaceFirst("\\.lua$", ""));
            dropsTables = arguments.get(1).equals(CLEANUP);
            differs(arguments.get(1), COMMANDS_OF_SYSBENCH.getOrDefault(arguments.get(1), ""));
        }
        return isOne;
    }

    private Map<String, List<String>> result() {
        if (!ofOptions.isEmpty()) {
            List<String> all = new ArrayList<>(given.getOrDefault(RunOptions.OP.name(), List.of()));
            all.addAll(ofOptions);
            given.put(RunOptions.OP.name(), List.of(String.join(",", all)));
        }
        if (isWithoutVacuum && vacuums()) {
            set(List.of(RunOptions.NO_RESET.toString()));
        }
        if (!reasons.isEmpty()) {
            String all = reasons.entrySet().stream()
                    .map(e -> String.join(", ", e.getValue()) + " (" + e.getKey() + ")")
                    .collect(Collectors.joining(
                            ", ", "unlike " + (isOfSysbench ? "sysbench: " : "pgbench: "), "; type:"));
            throw new InvalidPlanException(Streams.withCommand(
                    aloneIs.isEmpty() || reasons.size() > 1 ? all : aloneIs,
                    dropsTables ? dropping() : Command.Argv.command(instead())));
        }
        return given;
    }

    /** The statement that drops sysbench's tables, even if some of them are missing. No command does it. */
    private String dropping() {
        String tables =
                given.getOrDefault(WorkloadOptions.TABLES.name(), List.of("1")).get(0);
        int number = isNumber(tables) && tables.length() < 4 ? Integer.parseInt(tables) : 1;
        return IntStream.rangeClosed(1, number)
                .mapToObj(n -> "sbtest" + n)
                .collect(Collectors.joining(", ", "psql -c \"drop table if exists ", "\""));
    }

    /** Whether an operation vacuums and empties tables before a run, as pgbench does without {@code -n}. */
    private boolean vacuums() {
        String all = String.join(",", given.getOrDefault(RunOptions.OP.name(), List.of()));
        return Stream.of(all.split(",", -1))
                .map(part -> part.replaceFirst(":.*", "").trim())
                .anyMatch(VACUUMING::contains);
    }

    private List<String> instead() {
        List<String> words = new ArrayList<>();
        if (!shown.isEmpty()) {
            words.add(Subcommand.OPERATIONS.label());
            words.addAll(shown);
            return words;
        }
        if (!mix.isEmpty()) {
            words.addAll(List.of(OP, String.join(",", mix)));
        } else if (!given.containsKey(RunOptions.TABLE.name()) && !given.containsKey(RunOptions.OP.name())) {
            words.addAll(List.of(OP, "tpcb"));
        }
        words.addAll(line);
        return Command.Argv.masked(words);
    }

    private void differs(String what, String reason) {
        reasons.computeIfAbsent(reason, r -> new LinkedHashSet<>()).add(what);
    }

    private static boolean isNumber(String text) {
        return text.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
