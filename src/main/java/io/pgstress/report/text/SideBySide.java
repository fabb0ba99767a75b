package io.pgstress.report.text;

import io.pgstress.report.file.History;
import io.pgstress.report.format.Columns;
import io.pgstress.report.format.Figures;
import io.pgstress.report.format.TextTable;
import io.pgstress.result.Latency;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RunResult;
import io.pgstress.text.Rounded;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Several runs in one table, one column per run; later columns show the change against the first. */
final class SideBySide {
    static final String NOTE = "These runs ran one after the other, so a difference may be due to changes in between;"
            + " stress compare interleaves variants and states its confidence.";

    private static final String NONE = "-";

    private SideBySide() {}

    /** @param runs at least two */
    static TextTable of(List<RunResult> runs) {
        Columns<RunResult> figures = figures(runs);
        List<List<String>> rows = new ArrayList<>();
        rows.add(line("figure", runs.stream().map(History::shortId)));
        for (String name : figures.names()) {
            Columns<RunResult> figure = figures.only(name);
            List<String> cells = new ArrayList<>();
            Object first = figure.values(runs.get(0)).get(name);
            for (RunResult run : runs) {
                Object value = figure.values(run).get(name);
                cells.add(figure.cells(run, NONE).get(0) + (cells.isEmpty() ? "" : change(first, value)));
            }
            if (!cells.stream().allMatch(NONE::equals)) {
                rows.add(line(name, cells.stream()));
            }
        }
        return new TextTable(1, rows);
    }

    private static List<String> line(String name, Stream<String> cells) {
        return Stream.concat(Stream.of(name), cells).toList();
    }

    /** The change of a decimal figure; empty if there is none. */
    private static String change(@Nullable Object first, @Nullable Object value) {
        return first instanceof Double before && value instanceof Double after && before > 0
                ? " (" + Rounded.change(after / before) + ")"
                : "";
    }

    private static Columns<RunResult> figures(List<RunResult> runs) {
        Columns<RunResult> figures = new Columns<RunResult>()
                .add("valid", History::valid)
                .add("started", run -> run.run().startedAt());
        for (String option : all(runs, run -> run.run().scenario().keySet())) {
            if (all(runs, run -> List.of(run.run().optionText(option))).size() > 1) {
                figures.add(option, run -> run.run().optionText(option), text -> text.isEmpty() ? NONE : text);
            }
        }
        Set<String> kinds = all(runs, run -> List.of(run.run().workload().headline()));
        String kind = kinds.size() == 1 ? kinds.iterator().next() : "total";
        Columns<Latency> times = TextTable.TIMES
                .only("mean ms", "p50 ms", "p95 ms", "p99 ms", "p99.9 ms", "max ms")
                .named(name -> name + " (" + kind + ")");
        Columns<OperationResult> operation = new Columns<OperationResult>()
                .add("ops/s", OperationResult::opsPerSecond, Figures::rate)
                .part(o -> RunTables.recorded(o.latencyMicros().get(kind)), times)
                .count("errors", OperationResult::failed);
        for (String name : all(runs, run -> run.operations().keySet())) {
            figures.part(name + ", ", run -> run.operations().get(name), operation);
        }
        return figures;
    }

    /** What the runs have, each once, in the order of appearance. */
    private static Set<String> all(List<RunResult> runs, Function<RunResult, Collection<String>> of) {
        return runs.stream()
                .flatMap(run -> of.apply(run).stream())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }
}
