package io.pgstress.report.live;

import io.pgstress.report.format.Figures;
import io.pgstress.result.IntervalResult;
import java.io.PrintStream;

/** One line per interval, for files and pipes. */
final class PlainView implements LiveView {
    private final PrintStream out;

    PlainView(PrintStream out) {
        this.out = out;
    }

    @Override
    public void phase(String name, double seconds) {
        out.println(name + (seconds > 0 ? " for " + Figures.seconds(seconds) : ""));
    }

    @Override
    public void interval(IntervalResult i) {
        out.println(
                i.phase() + " " + Figures.seconds(i.atSeconds() + i.seconds()) + ": " + IntervalText.figures(i, ", "));
    }

    @Override
    public void close() {
        out.flush();
    }
}
