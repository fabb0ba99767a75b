package io.pgstress.report.live;

import io.pgstress.result.IntervalResult;
import io.pgstress.result.Latency;
import io.pgstress.text.Json;
import java.io.PrintStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One JSON object per line: {@code event} tells whether a phase begins or an interval has ended. */
final class JsonLinesView implements LiveView {
    private final PrintStream out;

    JsonLinesView(PrintStream out) {
        this.out = out;
    }

    private record PhaseLine(String event, String phase, double plannedSeconds) {}

    private record IntervalLine(
            String event,
            String phase,
            double elapsedSeconds,
            double seconds,
            long ok,
            double opsPerSecond,
            double rowsPerSecond,
            @Nullable Double megabytesPerSecond,
            @Nullable Double meanMicros,
            @Nullable Double p99Micros,
            long failed,
            Map<String, Long> errors,
            @Nullable Double lagP99Micros,
            @Nullable Long backlog,
            @Nullable Double inMbitPerSecond,
            @Nullable Double outMbitPerSecond,
            @Nullable Double clientCpuCores,
            @Nullable Map<String, Long> hostsOk) {}

    @Override
    public void phase(String name, double seconds) {
        out.println(Json.writeLine(new PhaseLine("phase", name, seconds)));
    }

    @Override
    public void interval(IntervalResult i) {
        Latency latency = IntervalText.headline(i);
        out.println(Json.writeLine(new IntervalLine(
                "interval",
                i.phase(),
                i.atSeconds() + i.seconds(),
                i.seconds(),
                i.ok(),
                i.opsPerSecond(),
                i.rowsPerSecond(),
                i.megabytesPerSecond(),
                latency == null ? null : latency.mean(),
                latency == null ? null : latency.p99(),
                i.failed(),
                i.errors(),
                i.lagMicros() == null ? null : i.lagMicros().p99(),
                i.backlog(),
                i.inMbitPerSecond(),
                i.outMbitPerSecond(),
                i.clientCpuCores(),
                i.hostsOk())));
    }

    @Override
    public void close() {
        out.flush();
    }
}
