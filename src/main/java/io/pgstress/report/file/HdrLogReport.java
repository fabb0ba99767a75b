package io.pgstress.report.file;

import io.pgstress.measure.LatencyHistogram.HistogramLog;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Latency;
import io.pgstress.result.OperationResult;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * HdrHistogram's log format, version 1.3, in nanoseconds. Untagged lines are the headline's intervals (response time
 * of an open load, total time of a closed one), or one line for the whole run if intervals have no histograms. Tags: the
 * intervals of other times ({@code service}), and whole-run lines per operation ({@code find_first.service}).
 */
public final class HdrLogReport implements ReportWriter {
    @Override
    public String name() {
        return "hdr-log";
    }

    @Override
    public String description() {
        return "HdrHistogram's log format, for its tools.";
    }

    @Override
    public boolean takesSeveral() {
        return false;
    }

    @Override
    public void write(List<? extends Result> findings, Appendable out) throws IOException {
        if (findings.size() != 1) {
            throw new IllegalArgumentException("a histogram log contains one result, not " + findings.size());
        }
        RunResult result = ReportWriter.runs(findings).get(0);
        HistogramLog log = new HistogramLog(
                "pgstress run " + result.run().id(), Instant.parse(result.run().startedAt()));
        String headline = result.run().workload().headline();
        boolean any = false;
        for (IntervalResult i : result.intervals()) {
            any |= interval(log, i, "total", headline, i.totalMicros());
            any |= interval(log, i, "response", headline, i.responseMicros());
            interval(log, i, "acquire", headline, i.acquireMicros());
            interval(log, i, "service", headline, i.serviceMicros());
            interval(log, i, "lag", headline, i.lagMicros());
        }
        addWholeRun(log, result, any ? "" : headline);
        out.append(log.text());
    }

    /** Adds an interval; returns whether it belonged to the headline. */
    private static boolean interval(
            HistogramLog log, IntervalResult i, String kind, String headline, @Nullable Latency latency) {
        if (latency == null || latency.histogram() == null) {
            return false;
        }
        boolean isHeadline = kind.equals(headline);
        log.add(isHeadline ? "" : kind, i.atSeconds(), i.seconds(), latency.decoded());
        return isHeadline;
    }

    /** @param headline the kind with an untagged line for all operations; empty: none */
    private static void addWholeRun(HistogramLog log, RunResult result, String headline) {
        double seconds = result.run().measuredSeconds();
        Latency all = result.total().latencyMicros().get(headline);
        if (!headline.isEmpty() && all != null) {
            log.add("", 0, seconds, all.decoded());
        }
        result.operations().forEach((name, o) -> addOperation(log, name, o, seconds));
    }

    private static void addOperation(HistogramLog log, String name, OperationResult o, double seconds) {
        o.latencyMicros().forEach((kind, latency) -> {
            if (latency.histogram() != null) {
                log.add(name + "." + kind, 0, seconds, latency.decoded());
            }
        });
    }
}
