package io.pgstress.verdict;

import io.pgstress.result.HostResult;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Checks of the hosts of a run on several hosts; a run on one host has none. */
final class HostChecks {
    private static final double MAX_CLOCK_SHARE = 0.1;
    private static final double INVALID_CLOCK_SHARE = 0.5;
    private static final int MAX_NAMED = 3;

    /** Shorter times would be written as 0.0 s. */
    private static final double NO_SECONDS = 0.05;

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
            String why = host.reasons().isEmpty() ? "" : " (" + String.join("; ", Remark.texts(host.reasons())) + ")";
            if (isTolerated) {
                remarks.add(RemarkCode.HOST_LOST_AS_TOLERATED, name(host), when(host), why, missing(host), tolerated);
            } else {
                remarks.add(RemarkCode.HOST_LOST, name(host), when(host), why, missing(host));
            }
        }
    }

    private static double lostAt(HostResult host) {
        return Objects.requireNonNullElse(host.lostAtSeconds(), 0.0);
    }

    private boolean wasLostAtEnd(HostResult host) {
        return run.seconds() - lostAt(host) < NO_SECONDS;
    }

    private String when(HostResult host) {
        double at = lostAt(host);
        if (wasLostAtEnd(host)) {
            return "at the end of the measurement";
        }
        if (at >= 0) {
            return String.format(Locale.ROOT, "at %.1f s", at);
        }
        return -at < NO_SECONDS
                ? "at the start of the measurement"
                : String.format(Locale.ROOT, "%.1f s before the measurement", -at);
    }

    private String missing(HostResult host) {
        if (wasLostAtEnd(host)) {
            return "its last figures may be missing";
        }
        double at = lostAt(host);
        return (run.isClosed()
                        ? String.format(Locale.ROOT, "its %,d clients are not counted", host.clients())
                        : "its arrivals count as not sent")
                + (at < 0
                        ? ""
                        : String.format(Locale.ROOT, " in the last %.1f of %.1f s", run.seconds() - at, run.seconds()));
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
        remarks.add(isValid ? RemarkCode.CLOCK_UNSURE : RemarkCode.CLOCK_UNKNOWN, names(unsure), bound, interval);
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
                .forEach(h -> remarks.add(RemarkCode.HOST_NOT_VALID, name(h)));
    }

    private void own(Function<HostResult, List<Remark>> kind, Collection<Remark> known, Remarks remarks) {
        Map<Remark, List<HostResult>> with = new LinkedHashMap<>();
        for (HostResult host : hosts.stream().filter(h -> !h.wasLost()).toList()) {
            for (Remark remark : kind.apply(host)) {
                if (!known.contains(remark)) {
                    with.computeIfAbsent(remark, r -> new ArrayList<>()).add(host);
                }
            }
        }
        with.forEach((remark, of) -> remarks.add(remark.about(names(of))));
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
}
