package io.pgstress.report.live;

import io.pgstress.report.format.Figures;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Latency;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** One line that is redrawn: phase, bar, figures and a sparkline of recent throughput. */
final class LineView implements LiveView {
    /** On a narrower terminal, the bar and the sparkline are shorter. */
    private static final int WIDE = 120;

    private final StatusLine line;
    private final boolean unicode;
    private final int barWidth;
    private final int sparks;
    private final int columns;
    private final Deque<Double> rates = new ArrayDeque<>();
    private final Map<String, Double> planned = new HashMap<>();

    LineView(StatusLine line, Terminal terminal) {
        this.line = line;
        this.unicode = terminal.isUnicode();
        this.columns = terminal.columns() - 1;
        this.barWidth = terminal.columns() < WIDE ? 8 : 12;
        this.sparks = terminal.columns() < WIDE ? 8 : 16;
    }

    @Override
    public void phase(String name, double seconds) {
        planned.put(name, seconds);
        line.show(new FittedLine().add(0, time(name, 0)).add(1, bar(name, 0)).in(columns));
    }

    @Override
    public void interval(IntervalResult i) {
        if (rates.size() == sparks) {
            rates.removeFirst();
        }
        rates.addLast(i.opsPerSecond());
        double[] values = rates.stream().mapToDouble(Double::doubleValue).toArray();
        double elapsed = i.atSeconds() + i.seconds();
        Latency latency = IntervalText.headline(i);
        line.show(new FittedLine()
                .add(0, time(i.phase(), elapsed))
                .add(6, bar(i.phase(), elapsed))
                .add(0, IntervalText.opsPerSecond(i))
                .add(5, IntervalText.volume(i))
                .add(8, Bar.sparkline(values, unicode))
                .add(i.failed() > 0 ? 1 : 4, "errors " + Figures.count(i.failed()))
                .addApart(7, latency == null ? "" : "mean " + Figures.time(latency.mean()))
                .addApart(1, latency == null ? "" : "p99 " + Figures.time(latency.p99()))
                .addApart(
                        3,
                        i.lagMicros() == null
                                ? ""
                                : "lag " + Figures.time(i.lagMicros().p99()))
                .addApart(2, i.backlog() == null ? "" : "backlog " + Figures.count(i.backlog()))
                .addApart(4, IntervalText.hosts(i))
                .addApart(9, IntervalText.network(i))
                .in(columns));
    }

    private String time(String phase, double elapsed) {
        double all = planned.getOrDefault(phase, 0.0);
        return phase + " " + Figures.decimal(elapsed, 0) + (all > 0 ? "/" + Figures.seconds(all) : " s");
    }

    private String bar(String phase, double elapsed) {
        double all = planned.getOrDefault(phase, 0.0);
        return all > 0 ? Bar.progress(elapsed / all, barWidth, unicode) : "";
    }

    @Override
    public void close() {
        line.clear();
    }
}
