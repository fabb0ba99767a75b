package io.pgstress.report.text;

import io.pgstress.report.file.History;
import io.pgstress.report.file.HistoryTable;
import io.pgstress.report.format.Figures;
import io.pgstress.report.format.TextTable;
import io.pgstress.result.Latency;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RunResult;
import io.pgstress.text.Rounded;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Several runs in one table, one column per run; later columns show the change against the first. Not thread-safe. */
final class SideBySide {
    static final String NOTE = "These runs ran one after the other, so a difference may be due to changes in between;"
            + " stress compare interleaves variants and states its confidence.";

    private static final Map<String, ToDoubleFunction<Latency>> TIMES = new LinkedHashMap<>();

    static {
        TIMES.put("mean", Latency::mean);
        TIMES.put("p50", Latency::p50);
        TIMES.put("p95", Latency::p95);
        TIMES.put("p99", Latency::p99);
        TIMES.put("p99.9", Latency::p999);
        TIMES.put("max", Latency::max);
    }

    private static final String NONE = "-";

    private final List<RunResult> runs;
    private final List<List<String>> rows = new ArrayList<>();
    private final String kind;

    private SideBySide(List<RunResult> runs) {
        this.runs = runs;
        List<String> header = new ArrayList<>(List.of("figure"));
        runs.forEach(run -> header.add(History.shortId(run)));
        rows.add(header);
        Set<String> kinds = new LinkedHashSet<>();
        runs.forEach(run -> kinds.add(run.run().workload().headline()));
        this.kind = kinds.size() == 1 ? kinds.iterator().next() : "total";
    }

    /** @param runs at least two */
    static TextTable of(List<RunResult> runs) {
        SideBySide sides = new SideBySide(runs);
        sides.words("valid", HistoryTable::valid);
        sides.words("started", run -> run.run().startedAt());
        sides.differences();
        Set<String> operations = new LinkedHashSet<>();
        runs.forEach(run -> operations.addAll(run.operations().keySet()));
        operations.forEach(sides::operation);
        return new TextTable(1, sides.rows);
    }

    private void words(String name, Function<RunResult, String> of) {
        List<String> row = new ArrayList<>(List.of(name));
        runs.forEach(run -> row.add(of.apply(run)));
        rows.add(row);
    }

    /** The options that differ between the runs. */
    private void differences() {
        Set<String> options = new LinkedHashSet<>();
        runs.forEach(run -> options.addAll(run.run().scenario().keySet()));
        for (String option : options) {
            Set<String> values = new LinkedHashSet<>();
            runs.forEach(run -> values.add(run.run().optionText(option)));
            if (values.size() > 1) {
                words(
                        option,
                        run -> run.run().optionText(option).isEmpty()
                                ? NONE
                                : run.run().optionText(option));
            }
        }
    }

    private void operation(String name) {
        figures(name + ", ops/s", run -> of(run, name, OperationResult::opsPerSecond), Figures::rate);
        TIMES.forEach((label, time) -> figures(
                name + ", " + label + " ms (" + kind + ")",
                run -> {
                    OperationResult operation = run.operations().get(name);
                    Latency latency =
                            operation == null ? null : operation.latencyMicros().get(kind);
                    return latency == null || latency.count() == 0 ? null : time.applyAsDouble(latency);
                },
                Figures::millis));
        words(name + ", errors", run -> {
            OperationResult operation = run.operations().get(name);
            return operation == null ? NONE : Figures.count(operation.failed());
        });
    }

    private static @Nullable Double of(RunResult run, String name, ToDoubleFunction<OperationResult> figure) {
        OperationResult operation = run.operations().get(name);
        return operation == null ? null : figure.applyAsDouble(operation);
    }

    private void figures(String name, Function<RunResult, @Nullable Double> of, Function<Double, String> format) {
        List<@Nullable Double> values = runs.stream().map(of).toList();
        if (values.stream().allMatch(Objects::isNull)) {
            return;
        }
        Double first = values.get(0);
        List<String> row = new ArrayList<>(List.of(name));
        for (int i = 0; i < values.size(); i++) {
            Double value = values.get(i);
            boolean changes = i > 0 && value != null && first != null && first > 0;
            row.add(value == null ? NONE : format.apply(value) + (changes ? change(value / first) : ""));
        }
        rows.add(row);
    }

    private static String change(double ratio) {
        return Rounded.format(" (%+.1f%%)", 100 * (ratio - 1));
    }
}
