package io.pgstress.report;

import io.pgstress.result.IntervalResult;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** One line that renews itself: phase, bar, figures and the throughput of the last intervals as a sparkline. */
final class LineView implements LiveView {
    /** Below so many columns bar and sparkline are shorter. */
    private static final int WIDE = 120;

    private final StatusLine line;
    private final boolean unicode;
    private final int barWidth;
    private final int sparks;
    private final Deque<Double> rates = new ArrayDeque<>();
    private final Map<String, Double> planned = new HashMap<>();

    LineView(StatusLine line, Terminal terminal) {
        this.line = line;
        this.unicode = terminal.isUnicode();
        this.barWidth = terminal.columns() < WIDE ? 8 : 12;
        this.sparks = terminal.columns() < WIDE ? 8 : 16;
    }

    @Override
    public void phase(String name, double seconds) {
        planned.put(name, seconds);
        line.show(head(name, 0));
    }

    @Override
    public void interval(IntervalResult i) {
        if (rates.size() == sparks) {
            rates.removeFirst();
        }
        rates.addLast(i.opsPerSecond());
        double[] values = rates.stream().mapToDouble(Double::doubleValue).toArray();
        line.show(head(i.phase(), i.atSeconds() + i.seconds()) + " " + IntervalWords.rate(i) + " "
                + Bar.sparkline(values, unicode) + " " + IntervalWords.rest(i, "  "));
    }

    /** An interval may be told after the next phase has begun, so it goes by its own. */
    private String head(String phase, double elapsed) {
        double all = planned.getOrDefault(phase, 0.0);
        String time = Figures.decimal(elapsed, 0) + (all > 0 ? "/" + Figures.seconds(all) : " s");
        return phase + " " + time + (all > 0 ? " " + Bar.progress(elapsed / all, barWidth, unicode) : "");
    }

    @Override
    public void close() {
        line.clear();
    }
}
