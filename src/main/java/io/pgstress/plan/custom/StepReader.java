package io.pgstress.plan.custom;

import io.pgstress.plan.option.Nearest;
import io.pgstress.plan.sql.NamedSql;
import io.pgstress.plan.sql.SqlVerb;
import io.pgstress.text.Tree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads the steps of one operation in order. Not thread-safe. */
final class StepReader {
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
                        + (names.isEmpty() ? " (none are defined)" : " (known: " + String.join(", ", names) + ")")));
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
                    columns.problem(columns.line(k), "'" + k + "' is already the name of a parameter or a kept value");
                }
            });
        }
        return new CustomStep(name, sql, keep, least(fields, SqlVerb.of(sql.text())), source);
    }

    /** The default is 0 for a statement without a row count, such as SET or DO. */
    private static long least(Fields fields, SqlVerb verb) {
        String miss = fields.text("miss", verb.countsRows() ? "empty" : "never").strip();
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
