package io.pgstress.cli;

import io.pgstress.bson.dump.LeftOut;
import io.pgstress.cli.SummaryOutput.SummaryText;
import io.pgstress.importer.ImportSummary;
import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.importer.ImportSummary.DumpSummary;
import io.pgstress.importer.IndexResult;
import io.pgstress.importer.IndexResult.Part;
import io.pgstress.importer.table.Verification;
import io.pgstress.report.format.Columns;
import io.pgstress.report.format.TextTable;
import io.pgstress.report.text.Junit;
import io.pgstress.report.text.Junit.TestCase;
import io.pgstress.text.Counted;
import io.pgstress.text.Rounded;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** The summary of an import, as text for people. */
public final class ImportReport {
    private static final double MB = 1e6;

    /** By kind, what was done in a number of documents. */
    private static final Map<String, String> ALTERED = Map.of(
            "nul", "U+0000 stripped or replaced in strings of ",
            "utf8", "bytes that are not UTF-8 replaced in ",
            "generatedIds", "_id generated for ",
            "duplicateKeys", "only the last of duplicate keys kept in ");

    private ImportReport() {}

    /** One line: rows, rate, rejects and duplicates, and what is wrong, if the import is incomplete. */
    public static String line(ImportSummary s, boolean isComplete) {
        long duplicates = sum(s.collections(), CollectionSummary::duplicates);
        return Rounded.format(
                        "%s, %,.0f rows/s, %s",
                        Counted.of(s.rows(), "row"), s.rowsPerSecond(), Counted.of(s.rejected(), "reject"))
                + (duplicates == 0 ? "" : ", " + Counted.of(duplicates, "duplicate"))
                + (isComplete ? "" : ": " + shortcoming(s));
    }

    /** What an incomplete import is short of, in a few words. */
    static String shortcoming(ImportSummary s) {
        return differing(s).isEmpty() ? "not everything was imported" : "tables differ from the input";
    }

    /** The collections whose tables differ from them. */
    private static List<String> differing(ImportSummary s) {
        return s.collections().stream()
                .filter(each -> {
                    Verification found = each.verification();
                    return found != null && !found.same();
                })
                .map(CollectionSummary::collection)
                .toList();
    }

    /** Why an import is incomplete, one line per reason; empty if it is complete. */
    public static List<String> shortcomings(ImportSummary summary, long maxRejects, Path rejects) {
        List<String> lines = new ArrayList<>();
        List<String> differing = differing(summary);
        List<String> incomplete = summary.collections().stream()
                .filter(each -> !each.fault().isEmpty())
                .map(CollectionSummary::collection)
                .filter(each -> !differing.contains(each))
                .toList();
        if (!differing.isEmpty()) {
            lines.add(Counted.first(differing, ", ") + (differing.size() == 1 ? " differs" : " differ"));
        }
        if (!incomplete.isEmpty()) {
            lines.add(Counted.first(incomplete, ", ") + (incomplete.size() == 1 ? " is" : " are") + " not complete");
        }
        summary.collections().stream().flatMap(ImportReport::missingIndexes).forEach(lines::add);
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

    private static Stream<String> missingIndexes(CollectionSummary of) {
        return of.indexes().stream()
                .filter(index -> !index.fault().isEmpty())
                .map(index -> (index.name().isEmpty()
                                ? "the indexes of " + of.table() + " are missing: "
                                : "index " + index.name() + " of " + of.table() + " is missing: ")
                        + index.fault() + "; correct that, and run the same command again with --resume");
    }

    /** The shortcomings as test cases: one per collection, and whether few enough documents were rejected. */
    static List<TestCase> cases(ImportSummary summary, long maxRejects) {
        List<TestCase> cases = new ArrayList<>();
        for (CollectionSummary each : summary.collections()) {
            cases.add(TestCase.unless(
                    each.collection() + " into " + each.table(),
                    Junit.Outcome.INCOMPLETE,
                    Stream.concat(Stream.of(each.fault()), missingIndexes(each)).toList()));
        }
        cases.add(rejects(summary.rejected(), maxRejects));
        return cases;
    }

    static TestCase rejects(long rejected, long maxRejects) {
        return TestCase.limit(
                "--max-rejects " + maxRejects, rejected > maxRejects, Counted.of(rejected, "document") + " rejected");
    }

    private static boolean hasNewIndexes(CollectionSummary of) {
        return of.indexes().stream().flatMap(index -> index.indexes().stream()).anyMatch(part -> part.seconds() > 0);
    }

    /** Prints the result, then remarks on it, then where the time went. */
    static void print(ImportSummary s, SummaryText out) {
        List<CollectionSummary> tables = s.collections();
        long filled = tables.stream()
                .filter(c -> !c.keyType().equals(CollectionSummary.NO_KEY))
                .count();
        out.line("Imported " + Counted.of(s.rows(), "row") + " into " + Counted.of(filled, "table"));
        out.gap();
        out.fact(
                "throughput",
                Rounded.format(
                        "%,.0f rows/s over %.2f s, %.1f MB/s of BSON",
                        s.rowsPerSecond(), s.seconds(), s.megabytesPerSecond()));
        out.fact("failures", failures(s.rejected(), sum(tables, CollectionSummary::duplicates)));
        out.fact("verified", verified(tables));
        out.table(table(tables));
        tables.forEach(c -> printRemarks(c, out));
        printNotes(tables, out);
        long uuids = sum(tables, CollectionSummary::legacyUuids);
        if (uuids > 0) {
            out.line("note: UUIDs of old drivers (binary subtype 3) stay binary in " + Counted.of(uuids, "document")
                    + "; --uuid java, csharp or python makes them UUIDs");
        }
        LeftOut.lines(s.leftOut()).forEach(each -> out.line("note: not imported: " + each));
        tables.forEach(c -> IndexList.print(c, out));
        printTimes(s, out);
    }

    private static String failures(long rejected, long duplicates) {
        String counts = Counted.of(rejected, "reject") + ", " + Counted.of(duplicates, "duplicate");
        return rejected + duplicates == 0 ? "none (" + counts + ")" : counts;
    }

    /** Which rows were verified; empty if none were, or if some differ. */
    private static String verified(List<CollectionSummary> tables) {
        long rows = 0;
        long earlier = 0;
        for (CollectionSummary c : tables) {
            if (c.verification() != null && c.verification().same()) {
                long before = Math.max(0, c.verification().rows() - c.rows() - c.skipped());
                rows += c.verification().rows() - before;
                earlier += before;
            }
        }
        if (rows + earlier == 0) {
            return "";
        }
        return Counted.of(rows, "row") + " read back, equal to the input"
                + (earlier == 0
                        ? ""
                        : "; " + Counted.of(earlier, "row") + " from before the import only counted, not compared");
    }

    private static TextTable table(List<CollectionSummary> tables) {
        Columns<CollectionSummary> columns = new Columns<CollectionSummary>().add("table", CollectionSummary::table);
        boolean hasOtherNames = hasOtherNames(tables, CollectionSummary::collection, CollectionSummary::table);
        if (hasOtherNames) {
            columns.add("collection", CollectionSummary::collection);
        }
        columns.add("key", CollectionSummary::keyType)
                .count("rows", CollectionSummary::rows)
                .count("rejects", CollectionSummary::rejected)
                .count("duplicates", CollectionSummary::duplicates)
                .decimal("BSON MB", c -> c.bsonBytes() / MB, 1)
                .decimal("table MB", c -> c.tableBytes() / MB, 1)
                .decimal("index MB", c -> c.indexBytes() / MB, 1)
                .decimal("ratio", c -> c.ratio() == 0 || c.tableBytes() < MB ? null : c.ratio(), 2);
        return TextTable.of(hasOtherNames ? 3 : 2, columns, tables)
                .optional("ratio", "duplicates", "BSON MB", "collection", "key");
    }

    /** Whether a table is not called like its collection, whose name has the database in front, as the table's may have. */
    static <T> boolean hasOtherNames(List<T> all, Function<T, String> collection, Function<T, String> table) {
        return !all.stream().allMatch(each -> ("." + collection.apply(each)).endsWith("." + table.apply(each)));
    }

    private static void printRemarks(CollectionSummary c, SummaryText out) {
        String of = c.table() + ": ";
        if (!c.fault().isEmpty()) {
            out.line("error: " + of + c.fault());
        }
        c.rejects()
                .forEach((kind, count) ->
                        out.line("warning: " + of + Counted.of(count, "document") + " rejected, " + kind));
        c.altered()
                .forEach((kind, count) ->
                        out.line("warning: " + of + ALTERED.getOrDefault(kind, kind) + Counted.of(count, "document")));
    }

    /** A line for each note, with the tables that have it. */
    private static void printNotes(List<CollectionSummary> tables, SummaryText out) {
        Map<String, List<String>> names = new LinkedHashMap<>();
        for (CollectionSummary c : tables) {
            notes(c).forEach(note ->
                    names.computeIfAbsent(note, none -> new ArrayList<>()).add(c.table()));
        }
        names.forEach((note, of) -> out.line("note: " + Counted.first(of, ", ") + ": " + note));
    }

    private static List<String> notes(CollectionSummary c) {
        List<String> notes = new ArrayList<>(c.notes());
        boolean read = !c.keyType().equals(CollectionSummary.NO_KEY);
        if (read && c.documents() == 0 && c.fault().isEmpty()) {
            notes.add("the input has no documents");
        }
        if (c.skipped() > 0) {
            notes.add(Counted.of(c.skipped(), "document") + " had been imported before");
        }
        return notes;
    }

    private static void printTimes(ImportSummary s, SummaryText out) {
        out.gap();
        for (DumpSummary each : s.dumps()) {
            out.fact(
                    "dump",
                    Rounded.format(
                            "%s: %s in %s, %s, %,.1f MB of BSON%s",
                            each.dump(),
                            Counted.of(each.rows(), "row"),
                            Counted.of(each.collections(), "table"),
                            Counted.of(each.rejects(), "reject"),
                            each.bsonBytes() / MB,
                            each.whole() ? "" : "; not complete"));
        }
        out.fact(
                "time",
                Rounded.format(
                        "%.2f s reading, %.2f s converting, %.2f s waiting for the server (sums over all threads)",
                        s.readSeconds(), s.convertSeconds(), s.waitSeconds()));
        List<String> after = new ArrayList<>();
        if (s.collections().stream().anyMatch(ImportReport::hasNewIndexes)) {
            after.add("indexes");
        }
        after.add("statistics");
        if (s.collections().stream().anyMatch(c -> c.verification() != null)) {
            after.add("verification");
        }
        out.fact("afterwards", Rounded.format("%.2f s for %s", s.afterSeconds(), words(after)));
    }

    private static String words(List<String> parts) {
        int last = parts.size() - 1;
        return last == 0 ? parts.get(0) : String.join(", ", parts.subList(0, last)) + " and " + parts.get(last);
    }

    private static long sum(List<CollectionSummary> tables, ToLongFunction<CollectionSummary> count) {
        return tables.stream().mapToLong(count).sum();
    }

    /** The indexes of an imported collection: MongoDB's key, then what stands for it, with state, size and time. */
    static final class IndexList {
        private static final int MAX_LENGTH = 300;

        private IndexList() {}

        /** The beginning of a name or definition, which may have thousands of characters. */
        private static String cut(String text) {
            return text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH) + "...";
        }

        static void print(CollectionSummary each, SummaryText out) {
            if (!each.indexes().isEmpty()) {
                boolean planned = each.indexes().stream()
                        .flatMap(index -> index.indexes().stream())
                        .anyMatch(part -> part.state().equals(IndexResult.State.PLANNED.toString()));
                out.line("indexes of " + each.collection()
                        + (planned ? " (not created; --indexes create creates them)" : ""));
                each.indexes().forEach(index -> print(index, out));
            }
        }

        private static void print(IndexResult index, SummaryText out) {
            if (index.name().isEmpty()) {
                out.line("  not created: " + index.fault());
                return;
            }
            out.line("  " + cut(index.name()) + " " + cut(index.key()));
            for (Part part : index.indexes()) {
                out.line("    " + part.name() + ": " + cut(part.definition()));
                out.line("      " + state(part));
            }
            index.notes().forEach(note -> out.line("    " + (index.indexes().isEmpty() ? "none: " : "note: ") + note));
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
}
