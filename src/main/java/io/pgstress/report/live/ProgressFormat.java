package io.pgstress.report.live;

import io.pgstress.report.format.Columns;
import io.pgstress.report.format.Figures;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Latency;
import io.pgstress.text.Json;
import java.io.PrintStream;

/** How progress is shown; the values of {@code --progress-format}. */
public enum ProgressFormat {
    /** {@link #LINE} on a terminal, else {@link #PLAIN}. */
    AUTO,
    /** One line that is redrawn. */
    LINE,
    /** One line per interval. */
    PLAIN,
    /** One JSON object per interval. */
    JSON,
    NONE;

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
            default -> new PlainLines(out);
        };
    }

    /** One line per interval, for files and pipes. */
    private record PlainLines(PrintStream out) implements LiveView {
        @Override
        public void phase(String name, double seconds) {
            out.println(name + (seconds > 0 ? " for " + Figures.seconds(seconds) : ""));
        }

        @Override
        public void interval(IntervalResult i) {
            out.println(
                    i.phase() + " " + Figures.seconds(i.atSeconds() + i.seconds()) + ": " + IntervalText.figures(i));
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
                .add("ok", IntervalResult::ok)
                .add("opsPerSecond", IntervalResult::opsPerSecond)
                .add("rowsPerSecond", IntervalResult::rowsPerSecond)
                .add("megabytesPerSecond", IntervalResult::megabytesPerSecond)
                .part(
                        IntervalText::headline,
                        new Columns<Latency>().add("meanMicros", Latency::mean).add("p99Micros", Latency::p99))
                .add("failed", IntervalResult::failed)
                .add("errors", IntervalResult::errors)
                .part(IntervalResult::lagMicros, new Columns<Latency>().add("lagP99Micros", Latency::p99))
                .add("backlog", IntervalResult::backlog)
                .add("inMbitPerSecond", IntervalResult::inMbitPerSecond)
                .add("outMbitPerSecond", IntervalResult::outMbitPerSecond)
                .add("clientCpuCores", IntervalResult::clientCpuCores)
                .add("hostsOk", IntervalResult::hostsOk);

        private record PhaseLine(String event, String phase, double plannedSeconds) {}

        @Override
        public void phase(String name, double seconds) {
            out.println(Json.writeLine(new PhaseLine("phase", name, seconds)));
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
