package io.pgstress.plan.custom;

import io.pgstress.plan.OperationKind.CopyContent;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Unreadable;
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
import java.util.Set;
import java.util.stream.Stream;

/** Reads user-defined operations from a YAML file, in the format described in docs/operations.md. Not thread-safe. */
final class OperationsFile {
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
            throw new IllegalArgumentException(path + " cannot be read: " + Unreadable.reason(e), e);
        }
    }

    static List<CustomOperation> read(String yaml, String name) {
        OperationsFile file = new OperationsFile(name);
        List<CustomOperation> operations;
        try {
            operations = file.operations(Yaml.read(yaml));
        } catch (TextException e) {
            throw new InvalidPlanException(TextException.in(name, String.valueOf(e.getMessage())));
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
                CopyContent.valueOf(
                        fields.choice("copy", List.of("none", "empty", "full")).toUpperCase(Locale.ROOT)),
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
}
