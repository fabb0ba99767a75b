package io.pgstress.cli;

import io.pgstress.importer.ImportSummary;
import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.report.file.AtomicFile;
import io.pgstress.text.Counted;
import io.pgstress.text.Json;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The summary of an import, as a table and as JSON. */
public final class ImportReport {
    private ImportReport() {}

    /** Ensures, before the import, that the summary can be written. */
    public static void touch(@Nullable String json) throws IOException {
        if (json != null && !json.equals("-")) {
            new AtomicFile(Path.of(json)).touch();
        }
    }

    /**
     * Writes the table and a line with the result. If the JSON goes to stdout, it replaces the table, and stderr gets the line.
     *
     * @param missing why the import is incomplete; empty if it is complete
     */
    public static void write(ImportSummary summary, @Nullable String json, List<String> missing, Streams streams)
            throws IOException {
        if ("-".equals(json)) {
            streams.out().print(Json.write(summary));
            streams.err().println(line(summary, missing));
            return;
        }
        if (json != null) {
            new AtomicFile(Path.of(json)).write(out -> out.write(Json.write(summary)));
        }
        print(summary, streams.out());
        streams.out().println(line(summary, missing));
    }

    /** Writes the command that may follow, after the line with the result. */
    public static void next(String command, @Nullable String json, Streams streams) {
        PrintStream to = "-".equals(json) ? streams.err() : streams.out();
        to.println("To run a load on it:");
        to.println("  " + command);
    }

    /** One line: rows, rate and rejects, after the reason if the import is incomplete. */
    public static String line(ImportSummary s, List<String> missing) {
        String figures = String.format(
                Locale.ROOT,
                "%s, %,.0f rows/s, %s",
                Counted.of(s.rows(), "row"),
                s.rowsPerSecond(),
                Counted.of(s.rejected(), "reject"));
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
                    .forEach(index -> lines.add(
                            "index " + index.name() + " of " + each.table() + " is missing: " + index.fault()));
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

    private static void print(ImportSummary s, PrintStream out) {
        ImportTable.print(s.collections(), out);
        ImportTable.printDumps(s.dumps(), out);
        if (s.oplog() != null) {
            OplogLines.of(s.oplog()).forEach(out::println);
        }
        IndexTable.print(s.collections(), out);
        s.leftOut().forEach((name, reason) -> out.println("left out: " + name + ", " + reason));
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
}
