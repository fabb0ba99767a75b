package io.pgstress.report.file;

import io.pgstress.report.format.Figures;
import io.pgstress.result.Latency;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import io.pgstress.text.Csv;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Comma-separated values with one header for all results; numbers have a decimal point. */
abstract class CsvReport implements ReportWriter {
    private static final List<String> TIMES = List.of("mean", "p50", "p90", "p95", "p99", "p999", "max");

    /** The names of the columns. */
    abstract List<String> header();

    /** The rows of a result, each with as many cells as the header. */
    abstract List<List<String>> rows(RunResult result);

    @Override
    public final void write(List<? extends Result> results, Appendable out) throws IOException {
        List<List<String>> rows = new ArrayList<>(List.of(header()));
        ReportWriter.runs(results).forEach(result -> rows.addAll(rows(result)));
        Csv.write(rows, out);
    }

    /** The cell of a number; empty if it is null. */
    static String cell(@Nullable Double value) {
        return value == null ? "" : Figures.plain(value);
    }

    /** The latency columns of each kind, such as {@code service_p99_micros}. */
    static List<String> timeColumns(List<String> kinds) {
        return kinds.stream()
                .flatMap(kind -> TIMES.stream().map(time -> kind + "_" + time + "_micros"))
                .toList();
    }

    /** The cells of {@link #timeColumns} for one kind; empty if there are no latencies. */
    static List<String> times(@Nullable Latency l) {
        return l == null
                ? TIMES.stream().map(t -> "").toList()
                : List.of(
                        Figures.plain(l.mean()),
                        Figures.plain(l.p50()),
                        Figures.plain(l.p90()),
                        Figures.plain(l.p95()),
                        Figures.plain(l.p99()),
                        Figures.plain(l.p999()),
                        Figures.plain(l.max()));
    }

    /** Counts as text, such as {@code 40P01=2;57014=1}. */
    static String counts(Map<String, Long> counts) {
        return counts.entrySet().stream()
                .map(e -> e.getKey() + "=" + e.getValue())
                .collect(Collectors.joining(";"));
    }
}
