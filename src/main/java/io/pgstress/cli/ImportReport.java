package io.pgstress.cli;

import io.pgstress.importer.ImportSummary;
import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.importer.ImportSummary.DumpSummary;
import io.pgstress.importer.IndexResult;
import io.pgstress.importer.IndexResult.Part;
import io.pgstress.importer.Replay.OplogSummary;
import io.pgstress.text.Counted;
import io.pgstress.text.Rounded;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The summary of an import, as a table and as JSON. */
public final class ImportReport {
    /** Names in the list of what was left out; a directory may have thousands of other files. */
    private static final int MAX_LEFT_OUT = 20;

    private ImportReport() {}

    /** One line: rows, rate and rejects, after the reason if the import is incomplete. */
    public static String line(ImportSummary s, List<String> missing) {
        String figures = Rounded.format(
                "%s, %,.0f rows/s, %s",
                Counted.of(s.rows(), "row"), s.rowsPerSecond(), Counted.of(s.rejected(), "reject"));
        return missing.isEmpty() ? figures : "not everything was imported: " + missing.get(0) + " (" + figures + ")";
    }

    /** Why an import is incomplete, one line per reason; empty if it is complete. */
    public static List<String> shortcomings(ImportSummary summary, long maxRejects, Path rejects) {
        List<String> lines = new ArrayList<>();
        for (CollectionSummary each : summary.collections()) {
            if (!each.fault().isEmpty()) {
                lines.add(each.collection() + " is not complete");
            }
            each.indexes().stream()
                    .filter(index -> !index.fault().isEmpty())
                    .forEach(index -> lines.add((index.name().isEmpty()
                                    ? "the indexes of " + each.table() + " are missing: "
                                    : "index " + index.name() + " of " + each.table() + " is missing: ")
                            + index.fault()));
        }
        if (summary.oplog() != null && !summary.oplog().fault().isEmpty()) {
            lines.add("the oplog: " + summary.oplog().fault());
        }
        if (summary.rejected() > maxRejects) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%s rejected, more than --max-rejects %,d: see *.rejects.json in %s",
                    Counted.of(summary.rejected(), "document"),
                    maxRejects,
                    rejects.toAbsolutePath().normalize()));
        }
        return lines;
    }

    private static boolean hasNewIndexes(CollectionSummary of) {
        return of.indexes().stream().flatMap(index -> index.indexes().stream()).anyMatch(part -> part.seconds() > 0);
    }

    /** Prints the tables and what is notable. */
    static void print(ImportSummary s, PrintStream out) {
        ImportTable.print(s.collections(), out);
        ImportTable.printDumps(s.dumps(), out);
        if (s.oplog() != null) {
            OplogLines.of(s.oplog()).forEach(out::println);
        }
        IndexTable.print(s.collections(), out);
        s.leftOut().entrySet().stream()
                .limit(MAX_LEFT_OUT)
                .forEach(each -> out.println("left out: " + each.getKey() + ", " + each.getValue()));
        if (s.leftOut().size() > MAX_LEFT_OUT) {
            out.println(
                    "left out: " + Counted.of(s.leftOut().size() - MAX_LEFT_OUT, "more name") + " (--json lists all)");
        }
        out.printf(
                Locale.ROOT,
                "%s in %.2f s: %,.0f rows/s, %.1f MB/s of BSON (reading %.2f s, converting %.2f s, waiting for the"
                        + " server %.2f s); then %s%sstatistics%s %.2f s%n",
                Counted.of(s.rows(), "row"),
                s.seconds(),
                s.rowsPerSecond(),
                s.megabytesPerSecond(),
                s.readSeconds(),
                s.convertSeconds(),
                s.waitSeconds(),
                s.oplog() == null ? "" : "the oplog, ",
                s.collections().stream().anyMatch(ImportReport::hasNewIndexes) ? "indexes, " : "",
                s.collections().stream().anyMatch(c -> c.verification() != null) ? " and verification" : "",
                s.afterSeconds());
    }

    /** The imported collections as a table, each with what is notable about it. */
    static final class ImportTable {
        private static final double MB = 1e6;
        private static final int MIN_NAME = 20;

        private static final Map<String, String> ALTERED = Map.of(
                "nul", "with U+0000 in strings, which was stripped or replaced",
                "utf8", "with bytes that are not UTF-8, which were replaced",
                "generatedIds", "without an _id; one was generated",
                "duplicateKeys", "with a duplicate key in an object; the last one was kept");

        private ImportTable() {}

        static void print(List<CollectionSummary> collections, PrintStream out) {
            String names = "%-" + SummaryOutput.width(collections.stream().map(CollectionSummary::collection), MIN_NAME)
                    + "s %-" + SummaryOutput.width(collections.stream().map(CollectionSummary::table), MIN_NAME)
                    + "s %-11s";
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
                        c.ratio() == 0 || c.tableBytes() < MB ? "-" : Rounded.format("%.2f", c.ratio()));
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

        private static void printNotes(CollectionSummary c, PrintStream out) {
            c.rejects().forEach((kind, count) -> out.printf(Locale.ROOT, "  %,d rejected: %s%n", count, kind));
            c.altered()
                    .forEach((kind, count) -> out.println("  " + Counted.of(count, "document") + " "
                            + ALTERED.getOrDefault(kind, "altered: " + kind)));
            c.notes().forEach(note -> out.println("  " + note));
            c.columns().forEach(column -> out.println("  " + column.text()));
            boolean read = !c.keyType().equals(CollectionSummary.NO_KEY);
            if (read && c.documents() == 0 && c.fault().isEmpty()) {
                out.println("  0 documents in the input");
            }
            if (c.skipped() > 0) {
                out.println("  " + Counted.of(c.skipped(), "document")
                        + " read before, by the import that this one continues");
            }
            if (c.verification() != null && c.verification().same()) {
                long earlier = Math.max(0, c.verification().rows() - c.rows() - c.skipped());
                out.println("  verified: " + Counted.of(c.verification().rows() - earlier, "row")
                        + " read back, the same as the input"
                        + (earlier == 0
                                ? ""
                                : "; " + Counted.of(earlier, "row") + " from before the import counted, not compared"));
            }
            if (!c.fault().isEmpty()) {
                out.println("  not complete: " + c.fault());
            }
        }
    }

    /** The indexes of the imported collections: MongoDB's key, then what stands for it, with state, size and time. */
    static final class IndexTable {
        private static final double MB = 1e6;

        private IndexTable() {}

        static void print(List<CollectionSummary> collections, PrintStream out) {
            for (CollectionSummary each : collections) {
                if (!each.indexes().isEmpty()) {
                    boolean planned = each.indexes().stream()
                            .flatMap(index -> index.indexes().stream())
                            .anyMatch(part -> part.state().equals(IndexResult.State.PLANNED.toString()));
                    out.println("indexes of " + each.collection()
                            + (planned ? " (not created; --indexes create creates them)" : ""));
                    each.indexes().forEach(index -> print(index, out));
                }
            }
        }

        private static void print(IndexResult index, PrintStream out) {
            if (index.name().isEmpty()) {
                out.println("  not created: " + index.fault());
                return;
            }
            out.println("  " + index.name() + " " + index.key());
            for (Part part : index.indexes()) {
                out.println("    " + part.name() + ": " + part.definition());
                out.println("      " + state(part));
            }
            index.notes()
                    .forEach(note -> out.println("    " + (index.indexes().isEmpty() ? "none: " : "note: ") + note));
        }

        private static String state(Part part) {
            if (part.hasFailed()) {
                return "failed: " + part.fault();
            }
            String size = part.bytes() == 0 ? "" : Rounded.format(", %,.1f MB", part.bytes() / MB);
            String time = part.seconds() == 0 ? "" : Rounded.format(", %,.1f s", part.seconds());
            return part.state() + size + time;
        }
    }

    /** The result of the replay of an oplog, in lines. */
    static final class OplogLines {
        private OplogLines() {}

        static List<String> of(OplogSummary s) {
            List<String> lines = new ArrayList<>();
            String last = s.last().isEmpty() ? "" : ", the last of " + s.last();
            lines.add(Rounded.format(
                    "oplog: %s in %.2f s%s: %s",
                    Counted.of(s.entries(), "entry"), s.seconds(), last, counts(s.applied())));
            add(lines, s.noChange(), s.noChange() == 1 ? "entry changes no document" : "entries change no document");
            add(
                    lines,
                    s.skipped(),
                    s.skipped() == 1 ? "operation was applied before" : "operations were applied before");
            add(
                    lines,
                    s.missing(),
                    (s.missing() == 1 ? "operation" : "operations")
                            + " on documents that are not in the tables, such as those deleted later");
            add(
                    lines,
                    s.altered(),
                    (s.altered() == 1 ? "document or value was" : "documents or values were")
                            + " altered, as the options of the conversion allow");
            s.leftOut().forEach((reason, count) -> add(lines, count, "left out: " + reason));
            s.rejects().forEach((kind, count) -> add(lines, count, "rejected: " + kind));
            s.notes().forEach(note -> lines.add("  " + note));
            if (!s.fault().isEmpty()) {
                lines.add("  not complete: " + s.fault());
            }
            return lines;
        }

        private static String counts(Map<String, Long> applied) {
            String counts = applied.entrySet().stream()
                    .map(each -> String.format(Locale.ROOT, "%,d %s", each.getValue(), each.getKey()))
                    .collect(Collectors.joining(", "));
            return counts.isEmpty() ? "nothing to apply" : counts;
        }

        private static void add(List<String> lines, long count, String what) {
            if (count > 0) {
                lines.add(String.format(Locale.ROOT, "  %,d %s", count, what));
            }
        }
    }
}
