package io.pgstress.report.live;

import io.pgstress.measure.Phase;
import io.pgstress.report.format.Columns;
import io.pgstress.report.format.Figures;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Latency;
import io.pgstress.text.Json;
import io.pgstress.text.Printable;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** How progress is shown; the values of {@code --progress-format}. */
public enum ProgressFormat {
    /** {@link #LINE} on a terminal, else {@link #PLAIN} with at most one line every five seconds, about the time since the last one. */
    AUTO,
    /** One line that is redrawn. */
    LINE,
    /** One line per interval. */
    PLAIN,
    /** One JSON object per interval. */
    JSON,
    NONE;

    private static final double PAUSE_SECONDS = 5;

    /** The format to use on this terminal; never {@link #AUTO}. */
    public ProgressFormat on(Terminal terminal) {
        if (this != AUTO) {
            return this;
        }
        return terminal.isTerminal() ? LINE : PLAIN;
    }

    /** A view of a run in this format. */
    public LiveView view(Terminal terminal, PrintStream out) {
        return switch (on(terminal)) {
            case LINE -> new LineView(new StatusLine(out, terminal), terminal);
            case JSON -> new JsonLines(out);
            case NONE -> LiveView.NONE;
            default -> new PlainLines(out, this == PLAIN ? 0 : PAUSE_SECONDS);
        };
    }

    /** One line per interval or several, for files and pipes. */
    private static final class PlainLines implements LiveView {
        /** Intervals may be a little shorter than the pause. */
        private static final double ROUNDING = 0.05;

        private final PrintStream out;
        private final double pauseSeconds;
        private final List<IntervalResult> since = new ArrayList<>();
        private double next;

        /** @param pauseSeconds the least time between two lines of a phase; 0 for one line per interval */
        PlainLines(PrintStream out, double pauseSeconds) {
            this.out = out;
            this.pauseSeconds = pauseSeconds;
        }

        @Override
        public void phase(Phase phase, double seconds) {
            next = pauseSeconds;
            since.clear();
            String limit = seconds > 0 ? " for at most " + Figures.seconds(seconds) : "";
            out.println(
                    switch (phase) {
                        case CONNECT -> "connecting";
                        case WARMUP -> "warming up" + limit;
                        case MEASURE -> "measuring" + (seconds > 0 ? " for " + Figures.seconds(seconds) : "");
                        case DRAIN -> "waiting for the last operations";
                        case CHECK -> "checking the tables";
                    });
        }

        @Override
        public void interval(IntervalResult i) {
            since.add(i);
            double elapsed = i.atSeconds() + i.seconds();
            if (elapsed + ROUNDING >= next) {
                next = elapsed + pauseSeconds;
                IntervalResult all = IntervalResult.joined(since);
                since.clear();
                out.println(
                        Printable.line(i.phase() + " " + Figures.seconds(elapsed) + ": " + IntervalText.figures(all)));
            }
        }

        @Override
        public void close() {
            out.flush();
        }
    }

    /** One JSON object per line: {@code event} tells whether a phase begins or an interval has ended. */
    private record JsonLines(PrintStream out) implements LiveView {
        private static final Columns<IntervalResult> INTERVAL = new Columns<IntervalResult>()
                .add("event", i -> "interval")
                .add("phase", IntervalResult::phase)
                .add("elapsedSeconds", i -> i.atSeconds() + i.seconds())
                .add("seconds", IntervalResult::seconds)
                .add("ok", i -> i.counts().ok())
                .add("opsPerSecond", i -> i.rates().opsPerSecond())
                .add("rowsPerSecond", IntervalResult::rowsPerSecond)
                .add("megabytesPerSecond", IntervalResult::megabytesPerSecond)
                .part(
                        IntervalText::headline,
                        new Columns<Latency>().add("meanMicros", Latency::mean).add("p99Micros", Latency::p99))
                .add("failed", i -> i.counts().failed())
                .add("errors", IntervalResult::errors)
                .part(i -> i.times().lagMicros(), new Columns<Latency>().add("lagP99Micros", Latency::p99))
                .add("backlog", i -> i.rates().backlog())
                .add("inMbitPerSecond", i -> i.usage().inMbitPerSecond())
                .add("outMbitPerSecond", i -> i.usage().outMbitPerSecond())
                .add("clientCpuCores", i -> i.usage().clientCpuCores())
                .add("hostsOk", i -> i.places().hostsOk());

        private record PhaseLine(String event, String phase, double plannedSeconds) {}

        @Override
        public void phase(Phase phase, double seconds) {
            out.println(Json.writeLine(new PhaseLine("phase", phase.label(), seconds)));
        }

        @Override
        public void interval(IntervalResult i) {
            out.println(Json.writeLine(INTERVAL.values(i)));
        }

        @Override
        public void close() {
            out.flush();
        }
    }
}
