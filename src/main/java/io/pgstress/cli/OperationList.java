package io.pgstress.cli;

import io.pgstress.dataset.Table;
import io.pgstress.operation.OperationType;
import io.pgstress.operation.workload.Operations;
import io.pgstress.plan.OperationNames;
import io.pgstress.plan.TableName;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import io.pgstress.report.format.WrappedText;
import io.pgstress.target.dialect.Dialects;
import io.pgstress.target.statement.Sql;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The operations with their options and the SQL that they send to a single PostgreSQL, with the default options. */
final class OperationList {
    private static final String TABLE = "TABLE";

    /** Of what stands beside a label. */
    private static final int INDENT = 11;

    private OperationList() {}

    /** Adds a problem for each name that no operation has. */
    static void check(List<String> names, Problems problems) {
        Set<String> known = new TreeSet<>(Operations.names());
        names.stream()
                .filter(name -> !known.contains(name))
                .forEach(name -> problems.addAll(List.of(OperationNames.unknown(name, known))));
    }

    /** The lines of the help, one per operation, each at most 80 characters long. */
    static List<String> summaries() {
        return Operations.ALL.stream()
                .map(type -> String.format(Locale.ROOT, "  %-21s %s", type.name(), type.summary()))
                .toList();
    }

    /** Prints a line for each operation. */
    static void printSummaries(PrintStream out) {
        summaries().forEach(out::println);
        out.println("With options and SQL: stress operations NAME...");
    }

    /**
     * Prints operations with their options and SQL.
     *
     * @param defaults the options of a run with their default values
     * @param width characters in a line, if options do not fit; statements are not broken
     */
    static void print(List<String> names, Options defaults, PrintStream out, int width) {
        boolean isFirst = true;
        for (OperationType type : Operations.ALL) {
            if (type.names().stream().anyMatch(names::contains)) {
                out.print(isFirst ? "" : System.lineSeparator());
                print(type, defaults, out, width);
                isFirst = false;
            }
        }
    }

    private static void print(OperationType type, Options defaults, PrintStream out, int width) {
        out.println(type.name() + ": " + type.summary());
        if (type.names().size() > 1) {
            line(
                    out,
                    "alias",
                    String.join(", ", type.names().subList(1, type.names().size())));
        }
        line(out, "table", type.isSelfContained() ? type.ownTable() + ", which it creates" : "that of --table");
        if (!type.options().isEmpty()) {
            String options = type.options().stream().map(Option::toString).collect(Collectors.joining(", "));
            out.println(WrappedText.of(labelled("options", options), INDENT, width));
        }
        String label = "SQL";
        for (Sql sql : statements(type, defaults)) {
            line(out, label, shortened(sql.text()));
            label = "";
        }
    }

    private static void line(PrintStream out, String label, String text) {
        out.println(labelled(label, text));
    }

    private static String labelled(String label, String text) {
        return String.format(Locale.ROOT, "  %-8s %s", label, text);
    }

    private static List<Sql> statements(OperationType type, Options defaults) {
        OperationType.Context context = new OperationType.Context(
                Table.assumed(new TableName("", TABLE)), Dialects.postgreSql(), defaults, 1, 1);
        return type.factory().create(context).statements(0);
    }

    /** A statement whose lists of parameters are cut short, with a readable name of the table. */
    static String shortened(String sql) {
        return sql.replaceAll("\\s+", " ")
                .replaceAll("\"(\\w+)\"", "$1")
                .replaceAll("(\\(\\?(?:, ?\\?)*\\))(, ?\\1){2,}", "$1, ...")
                .replaceAll("\\?(, ?\\?){4,}", "?, ?, ...");
    }
}
