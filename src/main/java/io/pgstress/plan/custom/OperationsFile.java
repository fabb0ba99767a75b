package io.pgstress.plan.custom;

import io.pgstress.plan.KeyDistribution;
import io.pgstress.plan.OperationKind.CopyState;
import io.pgstress.plan.custom.CustomOperation.Bound;
import io.pgstress.plan.custom.CustomOperation.Check;
import io.pgstress.plan.custom.CustomOperation.Combine;
import io.pgstress.plan.custom.CustomOperation.Comparison;
import io.pgstress.plan.custom.CustomOperation.CustomParameter;
import io.pgstress.plan.custom.CustomOperation.CustomStep;
import io.pgstress.plan.custom.CustomOperation.Source;
import io.pgstress.plan.custom.CustomOperation.Tables;
import io.pgstress.plan.custom.CustomOperation.Value;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Nearest;
import io.pgstress.text.NamedSql;
import io.pgstress.text.SqlVerb;
import io.pgstress.text.TextException;
import io.pgstress.text.TextFile;
import io.pgstress.text.Tree;
import io.pgstress.text.Yaml;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads user-defined operations from a YAML file, in the format described in docs/operations.md. Not thread-safe. */
public final class OperationsFile {
    private static final List<String> KNOWN = List.of(
            "description",
            "transaction",
            "tables",
            "table-of",
            "copy",
            "setup",
            "reset",
            "values",
            "parameters",
            "steps",
            "rows",
            "duplicates",
            "misses",
            "checks");

    private static final int MAX_TABLES = 10_000;

    private final Source file;
    private final List<String> problems = new ArrayList<>();
    /** The names of the values of the operation that is read. */
    private Set<String> values = Set.of();

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
            return read(TextFile.read(path, TextFile.SMALL), path.toString());
        } catch (IOException e) {
            throw new IllegalArgumentException(path + " cannot be read: " + Forms.unreadable(e), e);
        }
    }

    /**
     * An operation of a file that is shipped.
     *
     * @param resource the file, beside this class
     * @param operation its name in the file
     * @param name its name in the report
     * @param settings replace <code>${setting:NAME}</code> between double quotes
     * @throws InvalidPlanException if a setting does not fit
     */
    public static CustomOperation shipped(
            String resource, String operation, String name, Map<String, String> settings) {
        try (InputStream in = Objects.requireNonNull(OperationsFile.class.getResourceAsStream(resource), resource)) {
            String yaml = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            for (Map.Entry<String, String> setting : settings.entrySet()) {
                String quoted = setting.getValue().replace("\\", "\\\\").replace("\"", "\\\"");
                yaml = yaml.replace("${setting:" + setting.getKey() + "}", quoted);
            }
            OperationsFile file = new OperationsFile("");
            Fields all = file.new Fields(file.file, Yaml.read(yaml), List.of());
            CustomOperation read = file.operation(
                    name,
                    1,
                    Objects.requireNonNull(all.entries().get(operation)).value());
            if (!file.problems.isEmpty()) {
                throw new InvalidPlanException(file.problems);
            }
            return read;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
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
        new Fields(top, tree, List.of())
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
        Fields fields = new Fields(source, tree, KNOWN);
        Map<String, Value> computed = values(fields, source);
        values = computed.keySet();
        Map<String, CustomParameter> parameters = new LinkedHashMap<>();
        fields.part("parameters")
                .entries()
                .forEach((p, entry) -> parameters.put(
                        p,
                        new ParameterReader(
                                        source.part(
                                                "parameter", p, entry.place().line()),
                                        entry.value())
                                .read()));
        checkLeaders(parameters);
        int tables = fields.whole("tables", 0, 1, MAX_TABLES);
        Bound rows = fields.has("rows") ? fields.bound("rows", fields.needed("rows"), 0, Integer.MAX_VALUE) : null;
        List<CustomOperation.Line> setup = lines(fields, "setup", source);
        List<CustomOperation.Line> reset = lines(fields, "reset", source);
        List<CustomStep> steps = steps(fields, source, parameters);
        CustomOperation operation = new CustomOperation(
                name,
                fields.text("description", "").strip(),
                fields.flag("transaction"),
                new Tables(
                        tables,
                        fields.choice("table-of", List.of("client", "operation"))
                                .equals("operation")),
                switch (fields.choice("copy", List.of("none", "empty", "full"))) {
                    case "empty" -> CopyState.EMPTY;
                    case "full" -> CopyState.FULL;
                    default -> CopyState.UNUSED;
                },
                setup,
                reset,
                computed,
                parameters,
                steps,
                rows,
                fields.choice("duplicates", List.of("count", "error")).equals("count"),
                fields.choice("misses", List.of("expected", "limited")).equals("expected"),
                checks(fields, source, steps),
                source);
        checkNumber(operation, fields);
        return operation;
    }

    private Map<String, Value> values(Fields fields, Source source) {
        Map<String, Value> found = new LinkedHashMap<>();
        Fields all = fields.part("values");
        all.entries().forEach((name, entry) -> {
            Source part = source.part("value", name, entry.place().line());
            if (!name.matches("[A-Za-z]+") || Placeholders.RESERVED.contains(name)) {
                problems.add(part.message(
                        "its name must be letters, and none of " + String.join(", ", Placeholders.RESERVED)));
            }
            boolean isScalar = !(entry.value() instanceof Tree.Mapping);
            Fields one = isScalar ? all : new Fields(part, entry.value(), List.of("sum", "min", "max"));
            String how = isScalar ? "sum" : one.choiceOf(List.of("sum", "min", "max"));
            String sql = one.needed(isScalar ? name : how);
            found.put(name, new Value(line(sql, part, found.keySet()), Combine.valueOf(how.toUpperCase(Locale.ROOT))));
        });
        return found;
    }

    private CustomOperation.Line line(String sql, Source source, Set<String> known) {
        Placeholders.problems(sql, known).forEach(p -> problems.add(source.message(p)));
        return new CustomOperation.Line(sql, source);
    }

    private List<Check> checks(Fields fields, Source source, List<CustomStep> steps) {
        List<String> names = steps.stream().map(CustomStep::name).toList();
        List<Check> checks = new ArrayList<>();
        for (Tree item : fields.items("checks")) {
            Source part = new Source(source.file(), item.place().line(), source.what() + ", check");
            Fields check = new Fields(part, item, List.of("name", "by", "equals", "grows", "shrinks"));
            String how = check.choiceOf(List.of("equals", "grows", "shrinks"));
            String by = check.needed("by");
            if (!names.contains(by)) {
                problems.add(part.message("'by' must name a step, was '" + by + "'" + Nearest.hint(by, names)));
            }
            checks.add(new Check(
                    check.needed("name"),
                    line(check.needed(how), part, values),
                    Comparison.valueOf(how.toUpperCase(Locale.ROOT)),
                    by));
        }
        return checks;
    }

    /** A parameter {@code with} another one needs a path that is not {@code with} yet another. */
    private void checkLeaders(Map<String, CustomParameter> parameters) {
        List<String> leaders = parameters.entrySet().stream()
                .filter(e -> e.getValue() instanceof CustomParameter.Path p
                        && p.with().isEmpty())
                .map(Map.Entry::getKey)
                .toList();
        parameters.values().forEach(p -> {
            if (p instanceof CustomParameter.Path path && !path.with().isEmpty() && !leaders.contains(path.with())) {
                problems.add(path.source()
                        .message("'with' must name a 'path' parameter without 'with', was '" + path.with() + "'"
                                + Nearest.hint(path.with(), leaders)));
            }
        });
    }

    /** {@code tables} and the number of the client's table need each other. */
    private void checkNumber(CustomOperation operation, Fields fields) {
        boolean isInSteps = operation.steps().stream()
                .anyMatch(s -> Placeholders.haveNumber(s.sql().text()));
        if (operation.tables().given() > 0 && !isInSteps && !operation.steps().isEmpty()) {
            fields.problem(fields.line("tables"), "'tables' has no effect: no step has ${n}, the number of the table");
        }
        boolean isAnywhere = isInSteps
                || Stream.of(operation.setup(), operation.reset())
                        .flatMap(List::stream)
                        .anyMatch(line -> Placeholders.haveNumber(line.sql()));
        if (operation.tables().given() == 0 && fields.has("table-of")) {
            fields.problem(fields.line("table-of"), "'table-of' has no effect without 'tables'; leave it out");
        }
        if (operation.tables().given() == 0 && isAnywhere) {
            problems.add(operation.source().message("has ${n}, so it needs 'tables', the number of tables"));
        }
    }

    private List<CustomOperation.Line> lines(Fields fields, String name, Source source) {
        List<CustomOperation.Line> lines = fields.list(name).stream()
                .map(s -> new CustomOperation.Line(
                        s.text(), new Source(source.file(), s.place().line(), source.what() + ", " + name)))
                .toList();
        lines.forEach(line -> Placeholders.problems(line.sql(), Set.of())
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
        StepReader reader = new StepReader(source, names);
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
    private final class StepReader {
        private static final List<String> KNOWN = List.of("name", "sql", "keep", "miss", "after-miss", "must-change");
        private static final Pattern TRANSACTION = Pattern.compile(
                "\\s*(begin|start\\s+transaction|commit|end|rollback(?!\\s+to\\b)|abort)\\b", Pattern.CASE_INSENSITIVE);
        private static final List<String> RESERVED = List.of("begin", "commit", "rollback");

        private final Source operation;
        private final Set<String> names;

        /** @param names the names of parameters; the names that steps keep are added */
        StepReader(Source operation, Set<String> names) {
            this.operation = operation;
            this.names = names;
        }

        CustomStep read(int number, Tree tree) {
            int line = tree.place().line();
            Tree.Entry named =
                    tree instanceof Tree.Mapping step ? step.entries().get("name") : null;
            String name = named != null && named.value() instanceof Tree.Scalar text
                    ? text.text().strip()
                    : "step" + number;
            Fields fields = new Fields(operation.part("step", name, line), tree, KNOWN);
            Source source = operation.part("step", name, fields.line("sql"));
            if (RESERVED.contains(name)) {
                problems.add(source.message("this name is reserved for the statements of a transaction"));
            }
            NamedSql sql = NamedSql.of(fields.needed("sql").replaceFirst(";\\s*$", ""));
            Placeholders.problems(sql.text(), Set.of()).forEach(p -> problems.add(source.message(p)));
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
            Fields columns = fields.part("keep");
            columns.entries().keySet().forEach(k -> {
                keep.put(k, columns.needed(k));
                if (!names.add(k)) {
                    columns.problem(columns.line(k), "'" + k + "' is already the name of a parameter or a kept value");
                }
            });
            boolean endsAtMiss =
                    fields.choice("after-miss", List.of("end", "continue")).equals("end");
            Bound mustChange = switch (fields.text("must-change", "").strip()) {
                case "" -> null;
                case "true" -> new Bound(1, "");
                case "false" -> new Bound(0, "");
                default -> fields.bound("must-change", fields.needed("must-change"), 0, 1);
            };
            return new CustomStep(
                    name, sql, keep, least(fields, SqlVerb.of(sql.text())), endsAtMiss, mustChange, 0, source);
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
    private final class ParameterReader {
        private static final List<String> KINDS = List.of("id", "path", "range", "sequence", "choice", "digits");
        private static final List<String> KNOWN = List.of(
                "id",
                "path",
                "range",
                "sequence",
                "choice",
                "digits",
                "as",
                "sample",
                "distribution",
                "with",
                "count",
                "to",
                "order");
        /** The settings that each kind of source allows. */
        private static final Map<String, List<String>> BESIDE = Map.of(
                "path", List.of("as", "sample", "distribution", "with", "count"),
                "range", List.of("distribution"),
                "sequence", List.of("to", "order"),
                "choice", List.of("distribution"));

        private static final long MIN = Long.MIN_VALUE / 2;
        private static final long MAX = Long.MAX_VALUE / 2;
        private static final int MAX_SAMPLED = 10_000_000;
        private static final int MAX_COUNT = 10_000;
        private static final List<String> DISTRIBUTIONS = List.of("uniform", "zipfian", "special", "sequential");
        private static final List<String> OF_RANGES =
                List.of("uniform", "zipfian", "special", "sequential", "any", "once");

        private final Source source;
        private final Fields fields;

        ParameterReader(Source source, Tree tree) {
            this.source = source;
            this.fields = new Fields(source, tree, KNOWN);
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
                return new CustomParameter.Id(source, distribution("id", OF_RANGES));
            }
            if (kind.equals("range")) {
                return range();
            }
            KeyDistribution distribution =
                    distribution("distribution", DISTRIBUTIONS).orElse(KeyDistribution.UNIFORM);
            return switch (kind) {
                case "path" -> path(distribution);
                case "sequence" ->
                    new CustomParameter.Sequence(
                            source,
                            fields.bound("sequence", fields.needed("sequence"), MIN, MAX),
                            fields.has("to") ? fields.bound("to", fields.needed("to"), MIN, MAX) : new Bound(MAX, ""),
                            fields.choice("order", List.of("ascending", "random"))
                                    .equals("random"));
                case "choice" -> choice(distribution);
                case "digits" -> new CustomParameter.Digits(source, fields.needed("digits"));
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
        private Optional<KeyDistribution> distribution(String name, List<String> known) {
            String text = fields.text(name, "").strip();
            if (text.isEmpty() || text.equalsIgnoreCase("any")) {
                return Optional.empty();
            }
            return Optional.of(
                    KeyDistribution.valueOf(fields.choice(name, known).toUpperCase(Locale.ROOT)));
        }

        private CustomParameter path(KeyDistribution distribution) {
            boolean json = fields.choice("as", List.of("text", "json")).equals("json");
            int sample = fields.whole("sample", 10_000, 1, MAX_SAMPLED);
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
            int count = fields.whole("count", 0, 1, MAX_COUNT);
            return new CustomParameter.Path(source, keys, json, sample, distribution, with, count);
        }

        private CustomParameter range() {
            boolean once = fields.text("distribution", "").strip().equalsIgnoreCase("once");
            Optional<KeyDistribution> distribution = once || !fields.has("distribution")
                    ? Optional.of(KeyDistribution.UNIFORM)
                    : distribution("distribution", OF_RANGES);
            String[] ends = fields.needed("range").split("\\.\\.", -1);
            if (ends.length != 2) {
                fields.problem(fields.line("range"), "'range' must be FROM..TO, such as 1..100");
                return new CustomParameter.Range(source, new Bound(0, ""), new Bound(0, ""), distribution, once);
            }
            Bound from = fields.bound("range", ends[0], MIN, MAX);
            Bound to = fields.bound("range", ends[1], MIN, MAX);
            long numbers = to.number() - from.number() + 1;
            if (from.name().isEmpty() && to.name().isEmpty() && (numbers < 1 || numbers > Integer.MAX_VALUE)) {
                fields.problem(
                        fields.line("range"),
                        "'range' must contain 1 to 2147483647 numbers, was " + from.number() + ".." + to.number());
            }
            return new CustomParameter.Range(source, from, to, distribution, once);
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

    /** The named values of a part of the file; records each problem with its line. Not thread-safe. */
    private final class Fields {
        private static final Pattern VALUE = Pattern.compile("\\$\\{([A-Za-z]+)}");

        private final Source source;
        private final Map<String, Tree.Entry> entries;

        /** @param known the allowed names; empty: any name */
        Fields(Source source, Tree tree, List<String> known) {
            this.source = source;
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

        /** The one of these names that it has; the first one if it does not have exactly one. */
        String choiceOf(List<String> names) {
            List<String> given = names.stream().filter(this::has).toList();
            if (given.size() != 1) {
                problem(source.line(), "needs one of " + String.join(", ", names) + ", has " + given.size());
            }
            return given.size() == 1 ? given.get(0) : names.get(0);
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
            return items(name).stream()
                    .map(i -> new Tree.Scalar(scalar(name, i), i.place()))
                    .toList();
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

        /** The value, which must be an integer in this range, or one of the operation's values. */
        Bound bound(String name, String text, long min, long max) {
            Matcher value = VALUE.matcher(text.strip());
            if (!value.matches()) {
                return new Bound(whole(name, text, min, max), "");
            }
            if (!values.contains(value.group(1))) {
                problem(
                        line(name),
                        "unknown value " + value.group() + Nearest.hint(value.group(1), values)
                                + (values.isEmpty()
                                        ? " ('values' defines none)"
                                        : " (known: " + String.join(", ", values) + ")"));
            }
            return new Bound(0, value.group(1));
        }

        /** The parts of a mapping by name, with any names; empty if it is missing. */
        Fields part(String name) {
            Tree.Entry entry = entries.get(name);
            return entry == null
                    ? new Fields(source, new Tree.Mapping(Map.of(), new Tree.Place(source.line(), 1)), List.of())
                    : new Fields(source.at(line(name)), entry.value(), List.of());
        }

        /** The parts of a list; empty if it is missing. */
        List<Tree> items(String name) {
            Tree.Entry entry = entries.get(name);
            return entry == null
                    ? List.of()
                    : entry.value() instanceof Tree.Sequence list ? list.items() : List.of(entry.value());
        }

        /** The value, which must be an integer in this range, or the default if it is missing. */
        int whole(String name, int otherwise, int min, int max) {
            return has(name) ? (int) whole(name, needed(name), min, max) : otherwise;
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
