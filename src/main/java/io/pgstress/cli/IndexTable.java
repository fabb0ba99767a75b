package io.pgstress.cli;

import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.importer.IndexResult;
import io.pgstress.importer.IndexResult.Part;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** The indexes of the imported collections: MongoDB's key, then what stands for it, with state, size and time. */
final class IndexTable {
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
        out.println("  " + index.name() + " " + index.key());
        for (Part part : index.indexes()) {
            out.println("    " + part.name() + ": " + part.definition());
            out.println("      " + state(part));
        }
        index.notes().forEach(note -> out.println("    " + (index.indexes().isEmpty() ? "none: " : "note: ") + note));
    }

    private static String state(Part part) {
        if (part.hasFailed()) {
            return "failed: " + part.fault();
        }
        String size = part.bytes() == 0 ? "" : String.format(Locale.ROOT, ", %,.1f MB", part.bytes() / MB);
        String time = part.seconds() == 0 ? "" : String.format(Locale.ROOT, ", %,.1f s", part.seconds());
        return part.state() + size + time;
    }
}
