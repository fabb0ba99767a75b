package io.pgstress.cli;

import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.importer.ImportSummary.DumpSummary;
import io.pgstress.text.Counted;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** The imported collections as a table, each with what is notable about it. */
final class ImportTable {
    private static final double MB = 1e6;
    private static final int MIN_NAME = 20;

    private static final Map<String, String> ALTERED = Map.of(
            "nul", "with U+0000 in strings, which was stripped or replaced",
            "utf8", "with bytes that are not UTF-8, which were replaced",
            "generatedIds", "without an _id; one was generated",
            "duplicateKeys", "with a duplicate key in an object; the last one was kept");

    private ImportTable() {}

    static void print(List<CollectionSummary> collections, PrintStream out) {
        String names = "%-" + width(collections, CollectionSummary::collection) + "s %-"
                + width(collections, CollectionSummary::table) + "s %-11s";
        out.printf(
                Locale.ROOT,
                names + " %12s %10s %10s %10s %10s %10s %6s%n",
                "collection",
                "table",
                "key",
                "rows",
                "rejects",
                "duplicates",
                "BSON MB",
                "table MB",
                "indexes MB",
                "ratio");
        for (CollectionSummary c : collections) {
            out.printf(
                    Locale.ROOT,
                    names + " %,12d %,10d %,10d %,10.1f %,10.1f %,10.1f %6s%n",
                    c.collection(),
                    c.table(),
                    c.keyType(),
                    c.rows(),
                    c.rejected(),
                    c.duplicates(),
                    c.bsonBytes() / MB,
                    c.tableBytes() / MB,
                    c.indexBytes() / MB,
                    c.ratio() == 0 || c.tableBytes() < MB ? "-" : String.format(Locale.ROOT, "%.2f", c.ratio()));
            printNotes(c, out);
        }
    }

    /** One line per dump; none if there is only one. */
    static void printDumps(List<DumpSummary> dumps, PrintStream out) {
        for (DumpSummary each : dumps) {
            out.printf(
                    Locale.ROOT,
                    "%s: %s in %s, %s, %,.1f MB of BSON%s%n",
                    each.dump(),
                    Counted.of(each.rows(), "row"),
                    Counted.of(each.collections(), "table"),
                    Counted.of(each.rejects(), "reject"),
                    each.bsonBytes() / MB,
                    each.whole() ? "" : "; not complete");
        }
    }

    private static int width(List<CollectionSummary> collections, Function<CollectionSummary, String> name) {
        return collections.stream()
                .map(name)
                .mapToInt(text -> text.codePointCount(0, text.length()))
                .reduce(MIN_NAME, Math::max);
    }

    private static void printNotes(CollectionSummary c, PrintStream out) {
        c.rejects()
                .forEach((kind, count) -> out.printf(
                        Locale.ROOT, "  %,d %s%s%n", count, kind.startsWith("refused") ? "" : "rejected: ", kind));
        c.altered()
                .forEach((kind, count) -> out.println(
                        "  " + Counted.of(count, "document") + " " + ALTERED.getOrDefault(kind, "altered: " + kind)));
        c.notes().forEach(note -> out.println("  " + note));
        c.columns().forEach(column -> out.println("  " + column.text()));
        boolean read = !c.keyType().equals(CollectionSummary.NO_KEY);
        if (read && c.documents() == 0 && c.fault().isEmpty()) {
            out.println("  0 documents in the input");
        }
        if (c.skipped() > 0) {
            out.println("  " + Counted.of(c.skipped(), "document") + " loaded before");
        }
        if (c.verification() != null && c.verification().same()) {
            out.println(
                    "  verified: " + Counted.of(c.verification().rows(), "row") + " read back, the same as the input");
        }
        if (!c.fault().isEmpty()) {
            out.println("  not complete: " + c.fault());
        }
    }
}
