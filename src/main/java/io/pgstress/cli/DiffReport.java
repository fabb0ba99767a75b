package io.pgstress.cli;

import io.pgstress.extra.diff.DiffSummary;
import io.pgstress.extra.diff.DiffSummary.DifferentRow;
import io.pgstress.extra.diff.DiffSummary.PathDifference;
import io.pgstress.extra.diff.DiffSummary.RejectedDocument;
import io.pgstress.extra.diff.DiffSummary.TableDiff;
import io.pgstress.plan.option.Percent;
import io.pgstress.report.file.AtomicFile;
import io.pgstress.text.Json;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The outcome of a comparison of tables with a dump, as text and as JSON. */
public final class DiffReport {
    private static final int MIN_NAME = 20;

    private DiffReport() {}

    /** Ensures, before the comparison, that the JSON can be written. */
    public static void touch(@Nullable String json) throws IOException {
        ImportReport.touch(json);
    }

    /** Writes the outcome. If the JSON goes to stdout, it replaces the text, and stderr gets the last line. */
    public static void write(DiffSummary summary, @Nullable String json, Streams streams) throws IOException {
        if ("-".equals(json)) {
            streams.out().print(Json.write(summary));
            streams.err().println(line(summary));
            return;
        }
        if (json != null) {
            new AtomicFile(Path.of(json)).write(out -> out.write(Json.write(summary)));
        }
        print(summary, streams.out());
        streams.out().println(line(summary));
    }

    /** The outcome in one line. */
    static String line(DiffSummary s) {
        String what = String.format(Locale.ROOT, "%,d difference%s", s.differences(), s.differences() == 1 ? "" : "s");
        if (s.differences() == 0) {
            boolean whole = s.rejected() == 0 && s.isComplete();
            what = whole ? "no differences" : "no differences in what could be compared";
        }
        long documents = s.tables().stream().mapToLong(TableDiff::documents).sum();
        long rows = s.tables().stream().mapToLong(TableDiff::rows).sum();
        return String.format(
                Locale.ROOT,
                "%s: %,d document%s, %,d row%s, %.1f s%s",
                what,
                documents,
                documents == 1 ? "" : "s",
                rows,
                rows == 1 ? "" : "s",
                s.seconds(),
                s.share() < 1 ? ", a sample of " + Percent.text(s.share()) : "");
    }

    private static void print(DiffSummary s, PrintStream out) {
        String names = "%-" + width(s, TableDiff::collection) + "s %-" + width(s, TableDiff::table) + "s";
        out.printf(
                Locale.ROOT,
                names + " %12s %12s %12s %13s %13s %11s%n",
                "collection",
                "table",
                "documents",
                "rows",
                "equal",
                "only in dump",
                "only in table",
                "different");
        for (TableDiff t : s.tables()) {
            out.printf(
                    Locale.ROOT,
                    names + " %,12d %,12d %,12d %,13d %13s %,11d%n",
                    t.collection(),
                    t.table(),
                    t.documents(),
                    t.rows(),
                    t.equal(),
                    t.onlyInDump(),
                    t.fault().isEmpty() ? String.format(Locale.ROOT, "%,d", t.onlyInTable()) : "unknown",
                    t.different());
            printNotes(t, out);
        }
        s.tables().forEach(t -> printDifferences(t, out));
        if (!s.otherTables().isEmpty()) {
            out.println("not in the dump: " + String.join(", ", s.otherTables()));
        }
        s.leftOut().forEach((name, reason) -> out.println("left out: " + name + ", " + reason));
    }

    private static int width(DiffSummary s, Function<TableDiff, String> name) {
        return s.tables().stream()
                .map(name)
                .mapToInt(text -> text.codePointCount(0, text.length()))
                .reduce(MIN_NAME, Math::max);
    }

    private static void printNotes(TableDiff t, PrintStream out) {
        t.notes().forEach(note -> out.println("  " + note));
        if (t.repeated() > 0) {
            String repeat = t.repeated() == 1 ? "document repeats" : "documents repeat";
            out.printf(Locale.ROOT, "  %,d %s an _id of the dump%n", t.repeated(), repeat);
        }
        if (t.rejected() > 0) {
            out.printf(
                    Locale.ROOT,
                    t.rejected() == 1
                            ? "  %,d document was not compared, because an import with these options rejects it%n"
                            : "  %,d documents were not compared, because an import with these options rejects them%n",
                    t.rejected());
        }
        if (!t.fault().isEmpty()) {
            out.println("  not complete: " + t.fault());
        }
    }

    private static void printDifferences(TableDiff t, PrintStream out) {
        printAll(t, "only in the dump", t.onlyInDump(), t.idsOnlyInDump(), id -> id, out);
        printAll(t, "only in the table", t.onlyInTable(), t.idsOnlyInTable(), id -> id, out);
        printAll(t, "different", t.different(), t.differentRows(), DiffReport::words, out);
        printAll(t, "rejected", t.rejected(), t.rejects(), DiffReport::words, out);
    }

    private static <T> void printAll(
            TableDiff t, String kind, long count, List<T> named, Function<T, String> words, PrintStream out) {
        if (count == 0) {
            return;
        }
        out.printf(Locale.ROOT, "%s, %s: %,d%n", t.table(), kind, count);
        named.forEach(each -> out.println("  " + words.apply(each)));
        if (named.size() < count) {
            out.printf(Locale.ROOT, "  and %,d more (--limit)%n", count - named.size());
        }
    }

    private static String words(RejectedDocument reject) {
        return (reject.id().isEmpty() ? "without an _id" : reject.id()) + ": " + reject.reason();
    }

    private static String words(DifferentRow row) {
        StringBuilder text = new StringBuilder(row.id());
        for (PathDifference each : row.paths()) {
            text.append("\n    ").append(each.path().isEmpty() ? "the whole document" : each.path());
            text.append(": ").append(each.dump() == null ? "missing" : each.dump());
            text.append(" in the dump, ").append(each.table() == null ? "missing" : each.table());
            text.append(" in the table");
        }
        if (row.more()) {
            text.append("\n    and other paths");
        }
        return row.note() == null
                ? text.toString()
                : text.append(": ").append(row.note()).toString();
    }
}
