package io.pgstress.report;

import io.pgstress.result.IntervalResult;
import java.util.ArrayDeque;
import java.util.Deque;

/** One line that renews itself: phase, bar, figures and the throughput of the last intervals as a sparkline. */
final class LineView implements LiveView {
    /** Below so many columns bar and sparkline are shorter. */
    private static final int WIDE = 120;

    private final StatusLine line;
    private final boolean unicode;
    private final int barWidth;
    private final int sparks;
    private final Deque<Double> rates = new ArrayDeque<>();
    private String phase = "";
    private double planned;

    LineView(StatusLine line, Terminal terminal) {
        this.line = line;
        this.unicode = terminal.isUnicode();
        this.barWidth = terminal.columns() < WIDE ? 8 : 12;
        this.sparks = terminal.columns() < WIDE ? 8 : 16;
    }

    @Override
    public void phase(String name, double seconds) {
        phase = name;
        planned = seconds;
        line.show(head(0));
    }

    @Override
    public void interval(IntervalResult i) {
        if (rates.size() == sparks) {
            rates.removeFirst();
        }
        rates.addLast(i.opsPerSecond());
        double[] values = rates.stream().mapToDouble(Double::doubleValue).toArray();
        line.show(head(i.atSeconds() + i.seconds()) + " " + IntervalWords.rate(i) + " " + Bar.sparkline(values, unicode)
                + " " + IntervalWords.rest(i, "  "));
    }

    private String head(double elapsed) {
        String time = Figures.decimal(elapsed, 0) + (planned > 0 ? "/" + Figures.seconds(planned) : " s");
        return phase + " " + time + (planned > 0 ? " " + Bar.progress(elapsed / planned, barWidth, unicode) : "");
    }

    @Override
    public void close() {
        line.clear();
    }
}
