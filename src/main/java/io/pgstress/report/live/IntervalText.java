package io.pgstress.report.live;

import io.pgstress.report.format.Figures;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Latency;
import java.util.LongSummaryStatistics;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** The figures of an interval as text. */
final class IntervalText {
    private IntervalText() {}

    /** The headline latency: response time of an open load, else total time; null if nothing ended. */
    static @Nullable Latency headline(IntervalResult i) {
        return i.responseMicros() == null ? i.totalMicros() : i.responseMicros();
    }

    /** All figures except the time of the interval, e.g. {@code 48,400 ops/s, errors 0, mean 1.62 ms, p99 4.51 ms, ...}. */
    static String figures(IntervalResult i, String separator) {
        return rate(i) + separator + rest(i, separator);
    }

    static String rate(IntervalResult i) {
        String volume = volume(i);
        return opsPerSecond(i) + (volume.isEmpty() ? "" : " = " + volume);
    }

    static String opsPerSecond(IntervalResult i) {
        return Figures.rate(i.opsPerSecond()) + " ops/s";
    }

    /** Rows and bytes per second; empty if the operations have no size. */
    static String volume(IntervalResult i) {
        long bytes = 0;
        long rows = 0;
        for (IntervalResult.OperationInterval o : i.operations().values()) {
            bytes += o.bytes() == null ? 0 : o.bytes();
            rows += o.bytes() == null ? 0 : o.rows();
        }
        return bytes == 0 || i.seconds() == 0
                ? ""
                : Figures.rate(rows / i.seconds()) + " rows/s, " + Figures.decimal(bytes / i.seconds() / 1e6, 1)
                        + " MB/s";
    }

    /** The figures after the rate: latency, errors, schedule, network. */
    static String rest(IntervalResult i, String separator) {
        StringJoiner words = new StringJoiner(separator);
        Latency latency = headline(i);
        words.add("errors " + Figures.count(i.failed()));
        if (latency != null) {
            words.add("mean " + Figures.time(latency.mean()));
            words.add("p99 " + Figures.time(latency.p99()));
        }
        if (i.lagMicros() != null) {
            words.add("lag " + Figures.time(i.lagMicros().p99()));
        }
        if (i.backlog() != null) {
            words.add("backlog " + Figures.count(i.backlog()));
        }
        if (i.hostsOk() != null) {
            words.add(hosts(i));
        }
        words.add(network(i));
        return words.toString();
    }

    /** The range of the hosts' rates, e.g. {@code 3 hosts 402 to 1,203 ops/s}; empty for a run on one host. */
    static String hosts(IntervalResult i) {
        if (i.hostsOk() == null || i.seconds() == 0) {
            return "";
        }
        LongSummaryStatistics ok =
                i.hostsOk().values().stream().mapToLong(Long::longValue).summaryStatistics();
        return ok.getCount() + " hosts "
                + (ok.getCount() == 0
                        ? ""
                        : Figures.rate(ok.getMin() / i.seconds()) + " to " + Figures.rate(ok.getMax() / i.seconds())
                                + " ops/s");
    }

    static String network(IntervalResult i) {
        return "in " + Figures.decimal(i.inMbitPerSecond(), 1) + " out " + Figures.decimal(i.outMbitPerSecond(), 1)
                + " Mbit/s";
    }
}
