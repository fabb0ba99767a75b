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
import java.util.Map;

/**
 * HdrHistogram's log format, version 1.3, in nanoseconds. Untagged lines are the headline's intervals (response time
 * of an open loop, total time of a closed one), or one line for the whole run if intervals have no histograms. Tags: the
 * intervals of other times ({@code service}), and whole-run lines per operation ({@code find_first.service}).
 */
public final class HdrLogReport implements ReportWriter {
    @Override
    public void write(List<? extends Result> results, Appendable out) throws IOException {
        RunResult result = (RunResult) results.get(0);
        HistogramLog log = new HistogramLog(
                "pgstress run " + result.run().id(), Instant.parse(result.run().startedAt()));
        String headline = result.run().workload().headline();
        boolean any = false;
        for (IntervalResult i : result.intervals()) {
            for (Map.Entry<String, Latency> times : i.times().byKind().entrySet()) {
                if (times.getValue().histogram() != null) {
                    boolean isHeadline = times.getKey().equals(headline);
                    any |= isHeadline;
                    log.add(
                            isHeadline ? "" : times.getKey(),
                            i.atSeconds(),
                            i.seconds(),
                            times.getValue().decoded());
                }
            }
        }
        addWholeRun(log, result, any ? "" : headline);
        out.append(log.text());
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
