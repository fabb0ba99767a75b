package io.pgstress.report;

import io.pgstress.result.IntervalResult;
import java.util.ArrayDeque;
import java.util.Deque;

/** One line that renews itself: phase, bar, figures and the throughput of the last intervals as a sparkline. */
final class LineView implements LiveView {
    private static final int BAR = 12;
    private static final int SPARKS = 16;

    private final StatusLine line;
    private final boolean unicode;
    private final Deque<Double> rates = new ArrayDeque<>();
    private String phase = "";
    private double planned;

    LineView(StatusLine line, Terminal terminal) {
        this.line = line;
        this.unicode = terminal.isUnicode();
    }

    @Override
    public void phase(String name, double seconds) {
        phase = name;
        planned = seconds;
        line.show(head(0));
    }

    @Override
    public void interval(IntervalResult i) {
        if (rates.size() == SPARKS) {
            rates.removeFirst();
        }
        rates.addLast(i.opsPerSecond());
        double[] values = rates.stream().mapToDouble(Double::doubleValue).toArray();
        line.show(head(i.atSeconds() + i.seconds()) + "  " + Bar.sparkline(values, unicode) + " "
                + IntervalWords.figures(i, "  "));
    }

    private String head(double elapsed) {
        String time = Figures.decimal(elapsed, 0) + (planned > 0 ? "/" + Figures.seconds(planned) : " s");
        return phase + " " + time + (planned > 0 ? " " + Bar.progress(elapsed / planned, BAR, unicode) : "");
    }

    @Override
    public void close() {
        line.clear();
    }
}
