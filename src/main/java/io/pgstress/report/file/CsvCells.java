package io.pgstress.report.file;

import io.pgstress.report.format.Figures;
import io.pgstress.result.Latency;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Lines of comma-separated values as RFC 4180 has them, numbers with points; lines end with a line feed. */
final class CsvCells {
    private static final List<String> TIMES = List.of("mean", "p50", "p90", "p95", "p99", "p999", "max");

    /** The headers of rates of rows and of their values' bytes; behind all others, as they came later. */
    static final List<String> ROW_RATES = List.of("rows_per_second", "mb_per_second");

    private CsvCells() {}

    /** A rate; an empty cell where there is none. */
    static String rate(@Nullable Double perSecond) {
        return perSecond == null ? "" : Figures.plain(perSecond);
    }

    static void line(List<String> cells, Appendable out) throws IOException {
        out.append(cells.stream().map(CsvCells::quote).collect(Collectors.joining(",", "", "\n")));
    }

    private static String quote(String cell) {
        boolean plain = cell.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return plain ? cell : '"' + cell.replace("\"", "\"\"") + '"';
    }

    /** The headers of the times of each kind: {@code service_p99_micros}. */
    static List<String> timeHeaders(List<String> kinds) {
        return kinds.stream()
                .flatMap(kind -> TIMES.stream().map(time -> kind + "_" + time + "_micros"))
                .toList();
    }

    /** The cells of {@link #timeHeaders} of one kind; empty where there are no times. */
    static List<String> times(@Nullable Latency l) {
        List<String> cells = new ArrayList<>();
        if (l == null) {
            TIMES.forEach(t -> cells.add(""));
            return cells;
        }
        for (double time : new double[] {l.mean(), l.p50(), l.p90(), l.p95(), l.p99(), l.p999(), l.max()}) {
            cells.add(Figures.plain(time));
        }
        return cells;
    }

    /** {@code 40P01=2;57014=1}. */
    static String counts(Map<String, Long> counts) {
        return counts.entrySet().stream()
                .map(e -> e.getKey() + "=" + e.getValue())
                .collect(Collectors.joining(";"));
    }
}
