package io.pgstress.verdict;

import io.pgstress.result.ClientInfo;
import io.pgstress.result.HostResult;
import io.pgstress.result.Latency;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the hosts that differ from the others. Each host's figure is compared with the median of all other hosts. It is an outlier
 * if it differs by more than a minimum and its modified z-score exceeds 3.5 (Iglewicz and Hoaglin, "How to Detect and Handle
 * Outliers", 1993). Of two hosts, neither is the usual one, so only the worse is named.
 */
final class HostOutliers {
    private static final double MAX_SCORE = 3.5;

    /** The median absolute deviation of a normal distribution, in standard deviations. */
    private static final double NORMAL_MAD = 0.6745;

    /** Fewer operations say little about a rate. */
    private static final int MIN_OPERATIONS = 100;

    /** With fewer times, less than 10 are above the p99. */
    private static final int MIN_TIMES = 1000;

    /** The compared figures. Rates and latencies are compared as ratios, shares as differences. */
    private enum Figure {
        RATE(1.25, false, "%,.1f", "%s ops/s per client", HostOutliers::perClient),
        P99(1.5, true, "%,.2f ms", "p99 %s", HostOutliers::p99Millis),
        CPU(0.2, true, "%.0f%%", "%s of its CPUs used", h -> percent(h, c -> c.cpuCoresUsed() / c.cpus())),
        TURNS(0.1, true, "%.0f%%", "%s of its operations waited for their client's turn", HostOutliers::waited);

        final double minimum;
        final boolean isHighWorse;
        final String number;
        final String words;

        @SuppressWarnings("ImmutableEnumChecker") // functions without state
        final Function<HostResult, @Nullable Double> of;

        /** @param minimum the ratio (above 1) or the difference of shares that is ignored */
        Figure(
                double minimum,
                boolean isHighWorse,
                String number,
                String words,
                Function<HostResult, @Nullable Double> of) {
            this.minimum = minimum;
            this.isHighWorse = isHighWorse;
            this.number = number;
            this.words = words;
            this.of = of;
        }

        boolean isShare() {
            return minimum < 1;
        }

        /** The value on the scale of the comparison. */
        double scaled(double value) {
            return isShare() ? value / 100 : Math.log(Math.max(value, 1e-9));
        }

        double scaledMinimum() {
            return isShare() ? minimum : Math.log(minimum);
        }

        String words(double value, String whose, double others) {
            return String.format(Locale.ROOT, words + ", %s " + number, text(value), whose, others);
        }

        private String text(double value) {
            return String.format(Locale.ROOT, number, value);
        }
    }

    private final List<HostResult> hosts;
    private final boolean haveRates;

    /** @param isClosed whether the load is closed; in an open load, the rate is given */
    HostOutliers(List<HostResult> hosts, boolean isClosed) {
        this.hosts = hosts.stream().filter(h -> !h.wasLost() && h.clients() > 0).toList();
        long ok = this.hosts.stream().mapToLong(HostResult::ok).sum();
        this.haveRates = isClosed && ok >= (long) MIN_OPERATIONS * this.hosts.size();
    }

    /** One remark for each outlier, with its figures, the others' median, and what to do. */
    List<Remark> remarks() {
        List<Remark> remarks = new ArrayList<>();
        for (HostResult host : hosts) {
            List<String> figures = new ArrayList<>();
            boolean isBusy = false;
            for (Figure figure : Figure.values()) {
                String difference = difference(host, figure);
                if (difference != null) {
                    figures.add(difference);
                    isBusy |= figure.isShare();
                }
            }
            if (!figures.isEmpty()) {
                remarks.add(
                        Remark.of(
                                RemarkCode.HOST_DIFFERS,
                                HostChecks.name(host),
                                hosts.size() > 2 ? "is an outlier" : "differs from the other one",
                                String.join("; ", figures),
                                isBusy
                                        ? "give it fewer clients or more cores"
                                        : "compare its network path to the servers, and what else runs on it, with the others"));
            }
        }
        return remarks;
    }

    private @Nullable String difference(HostResult host, Figure figure) {
        Double value = figure.of.apply(host);
        double[] others = hosts.stream()
                .filter(h -> !h.equals(host))
                .map(figure.of)
                .flatMap(Stream::ofNullable)
                .mapToDouble(Double::doubleValue)
                .toArray();
        if (value == null || others.length == 0 || (figure == Figure.RATE && !haveRates)) {
            return null;
        }
        double usual = median(others);
        double center = figure.scaled(usual);
        double off = figure.scaled(value) - center;
        double deviation = median(Arrays.stream(others)
                .map(v -> Math.abs(figure.scaled(v) - center))
                .toArray());
        boolean isWorse = figure.isHighWorse ? off > 0 : off < 0;
        boolean isNamed = isWorse || (others.length > 1 && !figure.isShare());
        boolean isFar = Math.abs(off) > figure.scaledMinimum() && NORMAL_MAD * Math.abs(off) > MAX_SCORE * deviation;
        return !isNamed || !isFar ? null : figure.words(value, others.length > 1 ? "the others" : "the other", usual);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    private static Double perClient(HostResult host) {
        return host.opsPerSecond() / host.clients();
    }

    private static @Nullable Double p99Millis(HostResult host) {
        Latency latency = host.latencyMicros();
        return latency == null || latency.count() < MIN_TIMES ? null : Double.valueOf(latency.p99() / 1e3);
    }

    private static @Nullable Double waited(HostResult host) {
        return percent(host, ClientInfo::ownTurnShare);
    }

    private static @Nullable Double percent(HostResult host, Function<ClientInfo, @Nullable Double> share) {
        Double of = host.client() == null ? null : share.apply(host.client());
        return of == null ? null : Double.valueOf(100 * of);
    }
}
