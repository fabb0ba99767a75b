package io.pgstress.verdict;

import io.pgstress.result.ClientInfo;
import io.pgstress.result.HostResult;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Latency;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks of the hosts of a run on several hosts; a run on one host has none. */
final class HostChecks {
    private static final double MAX_CLOCK_SHARE = 0.1;
    private static final double INVALID_CLOCK_SHARE = 0.5;
    private static final int MAX_NAMED = 3;

    /** Shorter times would be written as 0.0 s. */
    private static final double NO_SECONDS = 0.05;

    private static final Set<RemarkCode> WITHOUT_SUCCESS =
            Set.of(RemarkCode.NO_SUCCESS, RemarkCode.NO_SUCCESS_OF_BEGUN, RemarkCode.ONLY_MISSES);

    private final RunFigures run;
    private final List<HostResult> hosts;

    HostChecks(RunFigures run) {
        this.run = run;
        this.hosts = run.result().hosts();
    }

    /** Reports lost hosts, each with the moment and what is missing. They are warnings if so many may be lost. */
    void lost(Remarks remarks) {
        int tolerated = Objects.requireNonNullElse(run.result().run().toleratedLost(), 0);
        List<HostResult> lost = hosts.stream().filter(HostResult::wasLost).toList();
        boolean isTolerated = lost.size() <= tolerated;
        for (HostResult host : lost) {
            String why = host.reasons().isEmpty() ? null : String.join("; ", Remark.texts(host.reasons()));
            double lostAt = Math.min(run.seconds(), lostAt(host));
            Double before = lostAt <= -NO_SECONDS ? Double.valueOf(-lostAt) : null;
            Double at = before == null ? Double.valueOf(Math.max(0, lostAt)) : null;
            boolean wereMissed = run.isClosed() && run.seconds() - lostAt >= NO_SECONDS;
            Integer clients = wereMissed ? Integer.valueOf(host.clients()) : null;
            if (isTolerated) {
                remarks.add(RemarkCode.HOST_LOST_AS_TOLERATED
                        .with("host", name(host))
                        .with("beforeSeconds", before)
                        .with("atSeconds", at)
                        .with("measuredSeconds", run.seconds())
                        .with("why", why)
                        .with("clients", clients)
                        .with("tolerated", tolerated)
                        .remark());
            } else {
                remarks.add(RemarkCode.HOST_LOST
                        .with("host", name(host))
                        .with("beforeSeconds", before)
                        .with("atSeconds", at)
                        .with("measuredSeconds", run.seconds())
                        .with("why", why)
                        .with("clients", clients)
                        .remark());
            }
        }
    }

    private static double lostAt(HostResult host) {
        return Objects.requireNonNullElse(host.lostAtSeconds(), 0.0);
    }

    /** Checks that intervals cover the same seconds on all hosts, and that no host differs from the others. */
    void compare(Remarks remarks) {
        clocks(remarks);
        new HostOutliers(hosts, run.isClosed()).remarks().forEach(remarks::add);
    }

    /** The host with the largest bound is named first. */
    private void clocks(Remarks remarks) {
        double interval = run.measured().stream()
                .mapToDouble(IntervalResult::seconds)
                .max()
                .orElse(0);
        List<HostResult> unsure = hosts.stream()
                .filter(h -> interval > 0 && bound(h) > MAX_CLOCK_SHARE * interval)
                .sorted(Comparator.comparingDouble(HostChecks::bound).reversed())
                .toList();
        if (unsure.isEmpty()) {
            return;
        }
        double bound = bound(unsure.get(0));
        boolean isValid = bound <= INVALID_CLOCK_SHARE * interval;
        remarks.add((isValid ? RemarkCode.CLOCK_UNSURE : RemarkCode.CLOCK_UNKNOWN)
                .with("hosts", names(unsure))
                .with("boundSeconds", bound)
                .with("intervalSeconds", interval)
                .remark());
    }

    /** Seconds; 0 if unknown. */
    private static double bound(HostResult host) {
        return Objects.requireNonNullElse(host.clockBoundMicros(), 0.0) / 1e6;
    }

    /**
     * Adds the reasons and warnings of the hosts' own checks.
     *
     * @param known those of the whole run, which are not repeated
     */
    void own(Collection<Remark> known, Remarks remarks) {
        own(HostResult::reasons, known, remarks);
        own(HostResult::warnings, known, remarks);
        hosts.stream()
                .filter(h -> !h.valid() && !h.wasLost() && h.reasons().isEmpty())
                .forEach(h -> remarks.add(
                        RemarkCode.HOST_NOT_VALID.with("host", name(h)).remark()));
    }

    private void own(Function<HostResult, List<Remark>> kind, Collection<Remark> known, Remarks remarks) {
        Map<Remark, List<HostResult>> with = new LinkedHashMap<>();
        for (HostResult host : hosts.stream().filter(h -> !h.wasLost()).toList()) {
            for (Remark remark : kind.apply(host)) {
                if (known.stream().noneMatch(other -> other.equals(remark) || isWithin(other, remark))) {
                    with.computeIfAbsent(remark, r -> new ArrayList<>()).add(host);
                }
            }
        }
        with.forEach((remark, of) -> remarks.add(remark.about(names(of))));
    }

    /**
     * Each host times the periods of many outages itself, and knows what its own operations waited for. Why one was slow, the whole run
     * knows as well or better: its probes are those of the servers.
     */
    private static boolean isWithin(Remark all, Remark own) {
        if (WITHOUT_SUCCESS.contains(all.code())) { // their figures are parts of the run's
            return all.code() == own.code() && !all.figures().containsKey(Remark.ABOUT);
        }
        if (own.code() == RemarkCode.LONG_OPERATION && LongTimes.isOn(all)) {
            return haveSame(all, own, "fromSeconds", "toSeconds");
        }
        return all.code() == own.code()
                && ((all.code() == RemarkCode.OUTAGES && haveSame(all, own, "node"))
                        || (all.code() == RemarkCode.OUTAGE && haveSame(all, own, "node", "fromSeconds", "toSeconds")));
    }

    private static boolean haveSame(Remark one, Remark other, String... figures) {
        return Stream.of(figures)
                .allMatch(name ->
                        Objects.equals(one.figures().get(name), other.figures().get(name)));
    }

    /** {@code host a}; merged results name their hosts {@code host 1} already. */
    static String name(HostResult host) {
        return "host " + bare(host);
    }

    private static String bare(HostResult host) {
        return host.name().replaceFirst("^host ", "");
    }

    /** {@code host a}, or {@code hosts a, b, c and 5 more}. */
    private static String names(List<HostResult> all) {
        if (all.size() == 1) {
            return name(all.get(0));
        }
        String first = all.stream().limit(MAX_NAMED).map(HostChecks::bare).collect(Collectors.joining(", "));
        return "hosts " + first + (all.size() > MAX_NAMED ? " and " + (all.size() - MAX_NAMED) + " more" : "");
    }

    /**
     * Finds the hosts that differ from the others. Each host's figure is compared with the median of all other hosts. It is an outlier
     * if it differs by more than a minimum and its modified z-score exceeds 3.5 (Iglewicz and Hoaglin, "How to Detect and Handle
     * Outliers", 1993). Of two hosts, neither is the usual one, so only the worse is named.
     */
    static final class HostOutliers {
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
            TURNS(0.1, true, "%.0f%%", "%s of its mean latency was waiting in the client", HostOutliers::waited);

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

        /** @param isClosed whether the load is closed; in an open loop, the rate is given */
        HostOutliers(List<HostResult> hosts, boolean isClosed) {
            this.hosts =
                    hosts.stream().filter(h -> !h.wasLost() && h.clients() > 0).toList();
            long ok = this.hosts.stream().mapToLong(HostResult::ok).sum();
            this.haveRates = isClosed && ok >= (long) MIN_OPERATIONS * this.hosts.size();
        }

        /** One remark for each outlier, with its figures and the others' median. */
        List<Remark> remarks() {
            List<Remark> remarks = new ArrayList<>();
            for (HostResult host : hosts) {
                List<String> figures = new ArrayList<>();
                for (Figure figure : Figure.values()) {
                    String difference = difference(host, figure);
                    if (difference != null) {
                        figures.add(difference);
                    }
                }
                if (!figures.isEmpty()) {
                    remarks.add(RemarkCode.HOST_DIFFERS
                            .with("host", HostChecks.name(host))
                            .with("figures", String.join("; ", figures))
                            .remark());
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
            boolean isFar =
                    Math.abs(off) > figure.scaledMinimum() && NORMAL_MAD * Math.abs(off) > MAX_SCORE * deviation;
            return !isNamed || !isFar
                    ? null
                    : figure.words(value, others.length > 1 ? "the others" : "the other", usual);
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
            return percent(host, ClientInfo::ownWaitShare);
        }

        private static @Nullable Double percent(HostResult host, Function<ClientInfo, @Nullable Double> share) {
            Double of = host.client() == null ? null : share.apply(host.client());
            return of == null ? null : Double.valueOf(100 * of);
        }
    }
}
