package io.pgstress.report.live;

import io.pgstress.report.format.Figures;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Latency;
import io.pgstress.text.Counted;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The figures of an interval as text. */
final class IntervalText {
    /** The rates of this many hosts are shown one by one. */
    private static final int MAX_HOSTS = 6;

    /** A host's rate is named if it differs from the median by this factor. */
    private static final double OUTLIER = 1.5;

    private IntervalText() {}

    /** The headline latency: response time of an open loop, else total time; null if nothing ended. */
    static @Nullable Latency headline(IntervalResult i) {
        return i.times().responseMicros() == null
                ? i.times().totalMicros()
                : i.times().responseMicros();
    }

    /** A time in milliseconds, always, so that lines can be compared, with three digits as in the report. */
    static String time(double micros) {
        return Figures.threeDigits(micros / 1000) + " ms";
    }

    /** The figures that someone who waits wants to see, such as {@code 48,400 ops/s, p99 4.51 ms}. */
    static String figures(IntervalResult i) {
        String volume = volume(i);
        Latency latency = headline(i);
        return Stream.of(
                        opsPerSecond(i) + (volume.isEmpty() ? "" : " = " + volume),
                        latency == null ? "" : "p99 " + time(latency.p99()),
                        i.counts().failed() == 0 ? "" : Counted.of(i.counts().failed(), "error"),
                        i.rates().backlog() == null || i.rates().backlog() == 0
                                ? ""
                                : "backlog " + Figures.count(i.rates().backlog()),
                        hosts(i))
                .filter(words -> !words.isEmpty())
                .collect(Collectors.joining(", "));
    }

    static String opsPerSecond(IntervalResult i) {
        return Figures.rate(i.rates().opsPerSecond()) + " ops/s";
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

    /**
     * The hosts' rates, e.g. {@code 3 hosts: 1,203 / 1,198 / 402 ops/s (c slow)}; of many hosts, the range. Empty for a run on one
     * host.
     */
    static String hosts(IntervalResult i) {
        Map<String, Long> hosts = i.places().hostsOk();
        if (hosts == null || i.seconds() == 0) {
            return "";
        }
        String number = hosts.size() + (hosts.size() == 1 ? " host: " : " hosts: ");
        List<Long> sorted = hosts.values().stream().sorted().toList();
        if (sorted.isEmpty()) {
            return number + "-";
        }
        String rates = hosts.size() <= MAX_HOSTS
                ? hosts.values().stream()
                        .map(ok -> Figures.rate(ok / i.seconds()))
                        .collect(Collectors.joining(" / "))
                : Figures.rate(sorted.get(0) / i.seconds()) + " to "
                        + Figures.rate(sorted.get(sorted.size() - 1) / i.seconds());
        return number + rates + " ops/s" + outlier(hosts, sorted.get(sorted.size() / 2));
    }

    /** The host that is farthest below or above the median, if it is far enough. */
    private static String outlier(Map<String, Long> hosts, long median) {
        if (hosts.size() < 2 || median == 0) {
            return "";
        }
        return hosts.entrySet().stream()
                .filter(h -> ratio(h.getValue(), median) >= OUTLIER)
                .max(Comparator.comparingDouble(h -> ratio(h.getValue(), median)))
                .map(h -> " (" + h.getKey()
                        + (h.getValue() == 0 ? " idle)" : h.getValue() < median ? " slow)" : " fast)"))
                .orElse("");
    }

    private static double ratio(long ok, long median) {
        return ok < median ? (double) median / Math.max(1, ok) : (double) ok / median;
    }

    /** Empty while the traffic of one of several hosts is unknown. */
    static String network(IntervalResult i) {
        Double in = i.usage().inMbitPerSecond();
        Double out = i.usage().outMbitPerSecond();
        return in == null || out == null
                ? ""
                : "in " + Figures.decimal(in, 1) + " out " + Figures.decimal(out, 1) + " Mbit/s";
    }
}
