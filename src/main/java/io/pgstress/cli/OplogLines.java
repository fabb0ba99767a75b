package io.pgstress.cli;

import io.pgstress.importer.Replay.OplogSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The result of the replay of an oplog, in lines. */
final class OplogLines {
    private OplogLines() {}

    static List<String> of(OplogSummary s) {
        List<String> lines = new ArrayList<>();
        String last = s.last().isEmpty() ? "" : ", the last of " + s.last();
        lines.add(String.format(
                Locale.ROOT,
                "oplog: %,d %s in %.2f s%s: %s",
                s.entries(),
                s.entries() == 1 ? "entry" : "entries",
                s.seconds(),
                last,
                counts(s.applied())));
        add(lines, s.noChange(), s.noChange() == 1 ? "entry changes no document" : "entries change no document");
        add(lines, s.skipped(), s.skipped() == 1 ? "operation was applied before" : "operations were applied before");
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
        s.rejects()
                .forEach((kind, count) -> add(lines, count, (kind.startsWith("refused") ? "" : "rejected: ") + kind));
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
