package io.pgstress.report.live;

import io.pgstress.measure.Phase;
import io.pgstress.report.format.Figures;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Latency;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One line that is redrawn: which run it is if there are several, the phases so far, a bar with the time left, figures, and sparklines of recent throughput, also of
 * each node and each host if there are several. Fields that do not fit the terminal are omitted.
 */
final class LineView implements LiveView {
    /** On a narrower terminal, the bar and the sparklines are shorter. */
    private static final int WIDE = 120;

    private static final int RANK_OF_PARTS = 10;

    private final StatusLine line;
    private final boolean unicode;
    private final int barWidth;
    private final int most;
    private final Sparks all;
    private final Map<String, Sparks> parts = new HashMap<>();
    private final List<String> phases = new ArrayList<>();
    private final Map<String, Double> planned = new LinkedHashMap<>();
    private String run = "";

    LineView(StatusLine line, Terminal terminal) {
        this.line = line;
        this.unicode = terminal.isUnicode();
        this.barWidth = terminal.columns() < WIDE ? 8 : 12;
        this.most = terminal.columns() < WIDE ? 8 : 16;
        this.all = new Sparks(most);
    }

    @Override
    public void begins(String name) {
        run = name;
        phases.clear();
        planned.clear();
        all.clear();
        parts.clear();
    }

    @Override
    public void phase(Phase phase, double seconds) {
        String name = phase.label();
        phases.remove(name);
        phases.add(name);
        planned.put(name, seconds);
        line.show(new FittedLine()
                .add(2, run.isEmpty() ? "" : run + ":")
                .add(3, before(name))
                .add(0, name)
                .add(1, bar(name, 0))
                .add(1, left(name, 0))
                .in(line.columns()));
    }

    @Override
    public void interval(IntervalResult i) {
        double elapsed = i.atSeconds() + i.seconds();
        Latency latency = IntervalText.headline(i);
        FittedLine fields = new FittedLine()
                .add(2, run.isEmpty() ? "" : run + ":")
                .add(7, before(i.phase()))
                .add(0, i.phase())
                .add(6, bar(i.phase(), elapsed))
                .add(0, left(i.phase(), elapsed))
                .add(0, IntervalText.opsPerSecond(i))
                .add(5, IntervalText.volume(i))
                .add(8, all.add(i.rates().opsPerSecond()).line(unicode))
                .add(
                        i.counts().failed() > 0 ? 1 : 4,
                        "errors " + Figures.count(i.counts().failed()))
                .addApart(7, latency == null ? "" : "mean " + IntervalText.time(latency.mean()))
                .addApart(1, latency == null ? "" : "p99 " + IntervalText.time(latency.p99()))
                .addApart(
                        3,
                        i.times().lagMicros() == null
                                ? ""
                                : "lag "
                                        + IntervalText.time(
                                                i.times().lagMicros().p99()))
                .addApart(
                        2,
                        i.rates().backlog() == null
                                ? ""
                                : "backlog " + Figures.count(i.rates().backlog()))
                .addApart(4, IntervalText.hosts(i));
        addParts(fields, i.places().nodesOk(), i.seconds());
        addParts(fields, i.places().hostsOk(), i.seconds());
        line.show(fields.addApart(9, IntervalText.network(i)).in(line.columns()));
    }

    /** Adds a sparkline and the rate of each part, if there are several. */
    private void addParts(FittedLine fields, @Nullable Map<String, Long> ok, double seconds) {
        if (ok == null || ok.size() < 2 || seconds == 0) {
            return;
        }
        int rank = RANK_OF_PARTS;
        for (Map.Entry<String, Long> part : ok.entrySet()) {
            double rate = part.getValue() / seconds;
            String spark = parts.computeIfAbsent(part.getKey(), name -> new Sparks(most))
                    .add(rate)
                    .line(unicode);
            fields.addApart(rank++, shortName(part.getKey()) + " " + spark + " " + Figures.rate(rate));
        }
    }

    /** The host and port of a URL; another name as it is. */
    private static String shortName(String name) {
        return name.replaceFirst("^.*://", "").replaceFirst("[/?].*", "");
    }

    /** The phases that have ended, in their order. */
    private String before(String phase) {
        int at = phases.indexOf(phase);
        return at <= 0 ? "" : String.join(" > ", phases.subList(0, at)) + " >";
    }

    private String left(String phase, double elapsed) {
        double whole = planned.getOrDefault(phase, 0.0);
        return whole > 0
                ? Figures.decimal(Math.max(0, whole - elapsed), 0) + " s left"
                : Figures.decimal(elapsed, 0) + " s";
    }

    private String bar(String phase, double elapsed) {
        double whole = planned.getOrDefault(phase, 0.0);
        return whole > 0 ? Bar.progress(elapsed / whole, barWidth, unicode) : "";
    }

    @Override
    public void close() {
        line.clear();
    }

    /** The last rates of something, as a sparkline. Not thread-safe. */
    static final class Sparks {
        private final Deque<Double> rates = new ArrayDeque<>();
        private final int most;

        /** @param most how many rates are shown, the last ones */
        Sparks(int most) {
            this.most = most;
        }

        Sparks add(double perSecond) {
            if (rates.size() == most) {
                rates.removeFirst();
            }
            rates.addLast(perSecond);
            return this;
        }

        void clear() {
            rates.clear();
        }

        String line(boolean unicode) {
            return Bar.sparkline(rates.stream().mapToDouble(Double::doubleValue).toArray(), unicode);
        }
    }
}
