package io.pgstress.plan.custom;

import io.pgstress.plan.KeyDistribution;
import io.pgstress.plan.OperationKind.CopyState;
import io.pgstress.plan.TableName;
import io.pgstress.plan.custom.CustomOperation.CustomParameter;
import io.pgstress.plan.custom.CustomOperation.CustomStep;
import io.pgstress.plan.custom.CustomOperation.Source;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Nearest;
import io.pgstress.plan.option.Forms;
import io.pgstress.text.NamedSql;
import io.pgstress.text.Quoting;
import io.pgstress.text.SqlVerb;
import io.pgstress.text.TextException;
import io.pgstress.text.Tree;
import io.pgstress.text.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads user-defined operations from a YAML file, in the format described in docs/operations.md. Not thread-safe. */
public final class OperationsFile {
    private static final List<String> KNOWN =
            List.of("description", "transaction", "tables", "copy", "setup", "reset", "parameters", "steps");

    private static final int MAX_TABLES = 10_000;

    private final Source file;
    private final List<String> problems = new ArrayList<>();

    private OperationsFile(String file) {
        this.file = new Source(file, 1, "");
    }

    /**
     * The operations, in the order of the file.
     *
     * @throws InvalidPlanException with every problem on a line of its own: file, line, operation, step
     * @throws IllegalArgumentException if it cannot be read
     */
    static List<CustomOperation> read(Path path) {
        try {
            return read(Files.readString(path), path.toString());
        } catch (IOException e) {
            throw new IllegalArgumentException(path + " cannot be read: " + Forms.unreadable(e), e);
        }
    }

    static List<CustomOperation> read(String yaml, String name) {
        OperationsFile file = new OperationsFile(name);
        List<CustomOperation> operations;
        try {
            operations = file.operations(Yaml.read(yaml));
        } catch (TextException e) {
            throw new InvalidPlanException(
                    String.valueOf(TextException.in(name, e).getMessage()));
        }
        if (!file.problems.isEmpty()) {
            throw new InvalidPlanException(file.problems);
        }
        return operations;
    }

    private List<CustomOperation> operations(Tree tree) {
        Source top = new Source(file.file(), tree.place().line(), "operations file");
        List<CustomOperation> operations = new ArrayList<>();
        new Fields(top, tree, List.of(), problems)
                .entries()
                .forEach((name, entry) ->
                        operations.add(operation(name, entry.place().line(), entry.value())));
        if (operations.isEmpty() && problems.isEmpty()) {
            problems.add(top.message("contains no operation"));
        }
        return operations;
    }

    private CustomOperation operation(String name, int line, Tree tree) {
        Source source = file.part("operation", name, line);
        if (!name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
            problems.add(source.message("its name must be letters, digits and _"));
        }
        Fields fields = new Fields(source, tree, KNOWN, problems);
        Map<String, CustomParameter> parameters = new LinkedHashMap<>();
        if (fields.has("parameters")) {
            Tree all =
                    Objects.requireNonNull(fields.entries().get("parameters")).value();
            new Fields(source.at(fields.line("parameters")), all, List.of(), problems)
                    .entries()
                    .forEach((p, entry) -> parameters.put(
                            p,
                            new ParameterReader(
                                            source.part(
                                                    "parameter",
                                                    p,
                                                    entry.place().line()),
                                            entry.value(),
                                            problems)
                                    .read()));
        }
        problems.addAll(ParameterReader.wrongLeaders(parameters));
        int tables = fields.has("tables") ? (int) fields.whole("tables", fields.needed("tables"), 1, MAX_TABLES) : 0;
        CustomOperation operation = new CustomOperation(
                name,
                fields.text("description", "").strip(),
                fields.flag("transaction"),
                tables,
                switch (fields.choice("copy", List.of("none", "empty", "full"))) {
                    case "empty" -> CopyState.EMPTY;
                    case "full" -> CopyState.FULL;
                    default -> CopyState.UNUSED;
                },
                lines(fields, "setup", source),
                lines(fields, "reset", source),
                parameters,
                steps(fields, source, parameters),
                source);
        checkNumber(operation, fields);
        return operation;
    }

    /** {@code tables} and the number of the client's table need each other. */
    private void checkNumber(CustomOperation operation, Fields fields) {
        boolean isInSteps = operation.steps().stream()
                .anyMatch(s -> Names.haveNumber(s.sql().text()));
        if (operation.tables() > 0 && !isInSteps && !operation.steps().isEmpty()) {
            fields.problem(fields.line("tables"), "'tables' has no effect: no step has ${n}, the number of the table");
        }
        boolean isAnywhere = isInSteps
                || Stream.of(operation.setup(), operation.reset())
                        .flatMap(List::stream)
                        .anyMatch(line -> Names.haveNumber(line.sql()));
        if (operation.tables() == 0 && isAnywhere) {
            problems.add(operation.source().message("has ${n}, so it needs 'tables', the number of tables"));
        }
    }

    private List<CustomOperation.Line> lines(Fields fields, String name, Source source) {
        List<CustomOperation.Line> lines = fields.list(name).stream()
                .map(s -> new CustomOperation.Line(
                        s.text(), new Source(source.file(), s.place().line(), source.what() + ", " + name)))
                .toList();
        lines.forEach(line -> Names.problems(line.sql())
                .forEach(p -> problems.add(line.source().message(p))));
        return lines;
    }

    /** If a step has a problem, unused parameters are not reported: the step may have misspelled their names. */
    private List<CustomStep> steps(Fields fields, Source source, Map<String, CustomParameter> parameters) {
        int before = problems.size();
        List<CustomStep> steps = steps(fields, source, new LinkedHashSet<>(parameters.keySet()));
        if (problems.size() == before) {
            parameters.forEach((name, parameter) -> {
                if (steps.stream().noneMatch(s -> s.sql().names().contains(name))) {
                    problems.add(parameter.source().message("is not used by any step; remove it"));
                }
            });
        }
        return steps;
    }

    private List<CustomStep> steps(Fields fields, Source source, Set<String> names) {
        List<CustomStep> steps = new ArrayList<>();
        if (!fields.has("steps")) {
            fields.problem(source.line(), "'steps' is missing");
            return steps;
        }
        Tree tree = Objects.requireNonNull(fields.entries().get("steps")).value();
        if (!(tree instanceof Tree.Sequence sequence) || sequence.items().isEmpty()) {
            fields.problem(fields.line("steps"), "'steps' must be a list of at least one step");
            return steps;
        }
        StepReader reader = new StepReader(source, names, problems);
        Set<String> taken = new LinkedHashSet<>();
        for (Tree item : sequence.items()) {
            CustomStep step = reader.read(steps.size() + 1, item);
            if (!taken.add(step.name())) {
                problems.add(step.source().message("its name occurs twice"));
            }
            steps.add(step);
        }
        return steps;
    }

    /** Reads the steps of one operation in order. Not thread-safe. */
    static final class StepReader {
        private static final List<String> KNOWN = List.of("name", "sql", "keep", "miss");
        private static final Pattern TRANSACTION = Pattern.compile(
                "\\s*(begin|start\\s+transaction|commit|end|rollback(?!\\s+to\\b)|abort)\\b", Pattern.CASE_INSENSITIVE);
        private static final List<String> RESERVED = List.of("begin", "commit", "rollback");

        private final Source operation;
        private final Set<String> names;
        private final List<String> problems;

        /** @param names the names of parameters; the names that steps keep are added */
        StepReader(Source operation, Set<String> names, List<String> problems) {
            this.operation = operation;
            this.names = names;
            this.problems = problems;
        }

        CustomStep read(int number, Tree tree) {
            int line = tree.place().line();
            String name = new Fields(operation, tree, List.of(), new ArrayList<>())
                    .text("name", "step" + number)
                    .strip();
            Fields fields = new Fields(operation.part("step", name, line), tree, KNOWN, problems);
            Source source = operation.part("step", name, fields.line("sql"));
            if (RESERVED.contains(name)) {
                problems.add(source.message("this name is reserved for the statements of a transaction"));
            }
            NamedSql sql = NamedSql.of(fields.needed("sql").replaceFirst(";\\s*$", ""));
            Names.problems(sql.text()).forEach(p -> problems.add(source.message(p)));
            if (NamedSql.holdsSeveral(sql.text())) {
                problems.add(source.message("contains several statements; give each its own step"));
            }
            if (TRANSACTION.matcher(sql.text()).lookingAt()) {
                problems.add(source.message(
                        "a step cannot begin or end a transaction; 'transaction: true' makes one of all steps"));
            }
            for (String used : sql.names()) {
                if (!names.contains(used)) {
                    problems.add(source.message("unknown parameter ':" + used + "'" + Nearest.hint(used, names)
                            + (names.isEmpty()
                                    ? " (none are defined)"
                                    : " (known: " + String.join(", ", names) + ")")));
                }
            }
            Map<String, String> keep = new LinkedHashMap<>();
            if (fields.has("keep")) {
                Tree kept = Objects.requireNonNull(fields.entries().get("keep")).value();
                Fields columns =
                        new Fields(operation.part("step", name, kept.place().line()), kept, List.of(), problems);
                columns.entries().keySet().forEach(k -> {
                    keep.put(k, columns.needed(k));
                    if (!names.add(k)) {
                        columns.problem(
                                columns.line(k), "'" + k + "' is already the name of a parameter or a kept value");
                    }
                });
            }
            return new CustomStep(name, sql, keep, least(fields, SqlVerb.of(sql.text())), source);
        }

        /** The default is 0 for a statement without a row count, such as SET or DO. */
        private static long least(Fields fields, SqlVerb verb) {
            String miss =
                    fields.text("miss", verb.countsRows() ? "empty" : "never").strip();
            if (miss.equals("empty")) {
                return 1;
            }
            if (miss.equals("never")) {
                return 0;
            }
            if (miss.startsWith("below ")) {
                return fields.whole("miss", miss.substring("below ".length()), 1, Integer.MAX_VALUE);
            }
            fields.problem(fields.line("miss"), "'miss' must be empty, never or below N, was '" + miss + "'");
            return 1;
        }
    }

    /** Reads the source of a parameter's values. Not thread-safe. */
    static final class ParameterReader {
        private static final List<String> KINDS = List.of("id", "path", "range", "sequence", "choice");
        private static final List<String> KNOWN =
                List.of("id", "path", "range", "sequence", "choice", "as", "sample", "distribution", "with", "count");
        /** The settings that each kind of source allows. */
        private static final Map<String, List<String>> BESIDE = Map.of(
                "path", List.of("as", "sample", "distribution", "with", "count"),
                "range", List.of("distribution"),
                "choice", List.of("distribution"));

        private static final int MAX_SAMPLED = 10_000_000;
        private static final int MAX_COUNT = 10_000;

        private final Source source;
        private final Fields fields;

        /** @param problems receives the problems */
        ParameterReader(Source source, Tree tree, List<String> problems) {
            this.source = source;
            this.fields = new Fields(source, tree, KNOWN, problems);
        }

        /** The problems of parameters {@code with} another one, which must be a path that is not {@code with} yet another. */
        static List<String> wrongLeaders(Map<String, CustomParameter> parameters) {
            List<String> leaders = parameters.entrySet().stream()
                    .filter(e -> e.getValue() instanceof CustomParameter.Path p
                            && p.with().isEmpty())
                    .map(Map.Entry::getKey)
                    .toList();
            return parameters.values().stream()
                    .filter(p -> p instanceof CustomParameter.Path path
                            && !path.with().isEmpty()
                            && !leaders.contains(path.with()))
                    .map(p -> (CustomParameter.Path) p)
                    .map(p -> p.source()
                            .message("'with' must name a 'path' parameter without 'with', was '" + p.with() + "'"
                                    + Nearest.hint(p.with(), leaders)))
                    .toList();
        }

        CustomParameter read() {
            List<String> kinds = KINDS.stream().filter(fields::has).toList();
            String kind = kinds.size() == 1 ? kinds.get(0) : "";
            if (!kind.isEmpty()) {
                checkBeside(kind);
            }
            if (kind.equals("id") && fields.text("id", "").strip().equalsIgnoreCase("once")) {
                return new CustomParameter.OnceId(source);
            }
            if (kind.equals("id")) {
                return new CustomParameter.Id(source, distribution("id"));
            }
            KeyDistribution distribution = distribution("distribution").orElse(KeyDistribution.UNIFORM);
            return switch (kind) {
                case "path" -> path(distribution);
                case "range" -> range(distribution);
                case "sequence" ->
                    new CustomParameter.Sequence(
                            source,
                            fields.whole(
                                    "sequence", fields.needed("sequence"), Long.MIN_VALUE / 2, Long.MAX_VALUE / 2));
                case "choice" -> choice(distribution);
                default -> {
                    fields.problem(source.line(), "needs one of " + String.join(", ", KINDS) + ", has " + kinds.size());
                    yield new CustomParameter.Id(source, Optional.empty());
                }
            };
        }

        private void checkBeside(String kind) {
            List<String> beside = BESIDE.getOrDefault(kind, List.of());
            for (String given : fields.entries().keySet()) {
                if (KNOWN.contains(given) && !given.equals(kind) && !beside.contains(given)) {
                    fields.problem(
                            fields.line(given),
                            "'" + given + "' has no effect with '" + kind + "'"
                                    + (kind.equals("id") && given.equals("distribution")
                                            ? "; write {id: uniform}, {id: zipfian} or {id: sequential}"
                                            : "; leave it out"));
                }
            }
        }

        /** The distribution; empty if the file does not set it. */
        private Optional<KeyDistribution> distribution(String name) {
            String text = fields.text(name, "").strip();
            if (text.isEmpty() || text.equalsIgnoreCase("any")) {
                return Optional.empty();
            }
            return Optional.of(KeyDistribution.valueOf(fields.choice(
                            name,
                            name.equals("id")
                                    ? List.of("uniform", "zipfian", "sequential", "any", "once")
                                    : List.of("uniform", "zipfian", "sequential"))
                    .toUpperCase(Locale.ROOT)));
        }

        private CustomParameter path(KeyDistribution distribution) {
            boolean json = fields.choice("as", List.of("text", "json")).equals("json");
            int sample = (int) fields.whole("sample", fields.text("sample", "10000"), 1, MAX_SAMPLED);
            String with = fields.has("with") ? fields.needed("with") : "";
            for (String given : with.isEmpty() ? List.<String>of() : List.of("sample", "distribution")) {
                if (fields.has(given)) {
                    fields.problem(
                            fields.line(given),
                            "'" + given + "' has no effect beside 'with'; set it for parameter '" + with + "'");
                }
            }
            String path = fields.needed("path");
            List<String> keys = path.equals(CustomParameter.DOCUMENT) ? List.of() : List.of(path.split("\\.", -1));
            int count = fields.has("count") ? (int) fields.whole("count", fields.needed("count"), 1, MAX_COUNT) : 0;
            return new CustomParameter.Path(source, keys, json, sample, distribution, with, count);
        }

        private CustomParameter range(KeyDistribution distribution) {
            String[] ends = fields.needed("range").split("\\.\\.", -1);
            if (ends.length != 2) {
                fields.problem(fields.line("range"), "'range' must be FROM..TO, such as 1..100");
                return new CustomParameter.Range(source, 0, 0, distribution);
            }
            long from = fields.whole("range", ends[0], Long.MIN_VALUE / 2, Long.MAX_VALUE / 2);
            long to = fields.whole("range", ends[1], Long.MIN_VALUE / 2, Long.MAX_VALUE / 2);
            if (to < from || to - from >= Integer.MAX_VALUE) {
                fields.problem(
                        fields.line("range"), "'range' must contain 1 to 2147483647 numbers, was " + from + ".." + to);
                return new CustomParameter.Range(source, 0, 0, distribution);
            }
            return new CustomParameter.Range(source, from, to, distribution);
        }

        private CustomParameter choice(KeyDistribution distribution) {
            List<String> values =
                    fields.list("choice").stream().map(Tree.Scalar::text).toList();
            if (values.isEmpty()) {
                fields.problem(fields.line("choice"), "'choice' must contain at least one value");
            }
            return new CustomParameter.Choice(source, values, distribution);
        }
    }

    /**
     * Replaces the placeholders for table names in SQL: {@code ${table}}, {@code ${copy}}, {@code ${table:x}}, {@code ${index:x}},
     * and {@code ${n}} for the number of the client's table.
     *
     * @param number the number of the client's table, from 1
     */
    public record Names(TableName table, int number) {
        private static final String NUMBER = "${n}";
        private static final String COPY = "${copy}";
        private static final Pattern PLACE = Pattern.compile("\\$\\{([A-Za-z]+)(?::([A-Za-z0-9_]+))?}");
        private static final TableName ANY = new TableName("", "any");

        /** Whether SQL names the copy table. */
        public static boolean haveCopy(String sql) {
            return sql.contains(COPY);
        }

        /** Whether SQL has the number of the client's table. */
        static boolean haveNumber(String sql) {
            return sql.contains(NUMBER);
        }

        /** Whether SQL names the table under load, or another one derived from its name. */
        static boolean areIn(String sql) {
            return PLACE.matcher(sql).results().anyMatch(place -> !place.group().equals(NUMBER));
        }

        /** The problems with placeholders in SQL. */
        static List<String> problems(String sql) {
            Names any = new Names(ANY, 1);
            return PLACE.matcher(sql)
                    .results()
                    .filter(place -> any.name(place) == null)
                    .map(place -> "unknown name " + place.group()
                            + " (known: ${table}, ${copy}, ${table:SUFFIX}, ${index:SUFFIX}, ${n})")
                    .toList();
        }

        /** SQL with the placeholders replaced. Unknown ones, which the file's reader has already rejected, are left unchanged. */
        public String in(String sql) {
            return PLACE.matcher(sql).replaceAll(place -> {
                String name = name(place);
                return Matcher.quoteReplacement(name == null ? place.group() : name);
            });
        }

        private @Nullable String name(MatchResult place) {
            String suffix = place.group(2);
            if (suffix == null) {
                return switch (place.group(1)) {
                    case "table" -> table.quoted();
                    case "copy" -> table.copy().quoted();
                    case "n" -> Integer.toString(number);
                    default -> null;
                };
            }
            return switch (place.group(1)) {
                case "table" -> new TableName(table.schema(), table.name() + "_" + suffix).quoted();
                case "index" -> Quoting.identifier(table.name() + "_" + suffix);
                default -> null;
            };
        }
    }

    /** The named values of a part of the file; records each problem with its line. Not thread-safe. */
    static final class Fields {
        private final Source source;
        private final Map<String, Tree.Entry> entries;
        private final List<String> problems;

        /** @param known the allowed names; empty: any name */
        Fields(Source source, Tree tree, List<String> known, List<String> problems) {
            this.source = source;
            this.problems = problems;
            if (tree instanceof Tree.Mapping mapping) {
                this.entries = mapping.entries();
            } else {
                this.entries = Map.of();
                problems.add(source.message("must be a mapping (name: value), but is " + tree.kind()));
            }
            entries.forEach((name, entry) -> {
                if (!known.isEmpty() && !known.contains(name)) {
                    problem(
                            entry.place().line(),
                            "'" + name + "' is unknown here" + Nearest.hint(name, known) + " (known: "
                                    + String.join(", ", known) + ")");
                }
            });
        }

        void problem(int line, String what) {
            problems.add(source.at(line).message(what));
        }

        Map<String, Tree.Entry> entries() {
            return entries;
        }

        boolean has(String name) {
            return entries.containsKey(name);
        }

        int line(String name) {
            Tree.Entry entry = entries.get(name);
            return entry == null ? source.line() : entry.place().line();
        }

        String text(String name, String otherwise) {
            Tree.Entry entry = entries.get(name);
            return entry == null ? otherwise : scalar(name, entry.value());
        }

        /** A required value. */
        String needed(String name) {
            String text = text(name, "").strip();
            if (text.isEmpty()) {
                problem(line(name), "'" + name + "' is missing");
            }
            return text;
        }

        private String scalar(String name, Tree tree) {
            if (tree instanceof Tree.Scalar scalar) {
                return scalar.text();
            }
            problem(tree.place().line(), "'" + name + "' must be a single value, but is " + tree.kind());
            return "";
        }

        /** One value or a list of them. */
        List<Tree.Scalar> list(String name) {
            Tree.Entry entry = entries.get(name);
            List<Tree.Scalar> list = new ArrayList<>();
            if (entry != null) {
                List<Tree> items = entry.value() instanceof Tree.Sequence s ? s.items() : List.of(entry.value());
                items.forEach(i -> list.add(new Tree.Scalar(scalar(name, i), i.place())));
            }
            return list;
        }

        boolean flag(String name) {
            return choice(name, List.of("false", "true")).equals("true");
        }

        /** One of these words; the first one if the value is missing. */
        String choice(String name, List<String> words) {
            String text = text(name, words.get(0)).toLowerCase(Locale.ROOT);
            if (!words.contains(text)) {
                problem(
                        line(name),
                        "'" + name + "' must be one of " + String.join(", ", words) + ", was '" + text + "'"
                                + Nearest.hint(text, words));
                return words.get(0);
            }
            return text;
        }

        /** The value, which must be an integer in this range. */
        long whole(String name, String text, long min, long max) {
            try {
                long value = Long.parseLong(text.strip().replace("_", ""));
                if (value >= min && value <= max) {
                    return value;
                }
                problem(line(name), "'" + name + "' must be from " + min + " to " + max + ", was " + value);
            } catch (NumberFormatException e) {
                problem(line(name), "'" + name + "' must be a whole number, was '" + text + "'");
            }
            return min;
        }
    }
}
