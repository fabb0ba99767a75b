package io.pgstress.verdict;

import io.pgstress.result.HostResult;
import io.pgstress.result.IntervalResult;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
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
        for (HostResult host : lost) {
            if (lost.size() <= tolerated) {
                remarks.warning("%s; --tolerate-lost %d permits it", lost(host), tolerated);
            } else {
                remarks.reason("%s", lost(host));
            }
        }
    }

    private String lost(HostResult host) {
        double at = Objects.requireNonNullElse(host.lostAtSeconds(), 0.0);
        String why = host.reasons().isEmpty() ? "" : " (" + String.join("; ", host.reasons()) + ")";
        double missing = run.seconds() - at;
        if (missing < NO_SECONDS) {
            return name(host) + " was lost at the end of the measurement" + why + ": its last figures may be missing";
        }
        return name(host) + (at < 0 ? before(-at) : String.format(Locale.ROOT, " was lost at %.1f s", at)) + why + ": "
                + (run.isClosed()
                        ? String.format(Locale.ROOT, "its %,d clients are not counted", host.clients())
                        : "its arrivals count as not sent")
                + (at < 0 ? "" : String.format(Locale.ROOT, " in the last %.1f of %.1f s", missing, run.seconds()));
    }

    private static String before(double seconds) {
        return seconds < NO_SECONDS
                ? " was lost at the start of the measurement"
                : String.format(Locale.ROOT, " was lost %.1f s before the measurement", seconds);
    }

    /** Checks that intervals cover the same seconds on all hosts, and that no host differs from the others. */
    void compare(Remarks remarks) {
        clocks(remarks);
        new HostOutliers(hosts, run.isClosed()).words().forEach(text -> remarks.warning("%s", text));
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
        String text = String.format(
                Locale.ROOT,
                "the clock of %s is known only to within %.3f s, more than %s of an interval of %.3f s: sums of intervals combine"
                        + " different times; use a longer --interval, or hosts with a shorter round trip",
                names(unsure),
                bound,
                isValid ? "a tenth" : "half",
                interval);
        if (isValid) {
            remarks.warning("%s", text);
        } else {
            remarks.reason("%s", text);
        }
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
    void own(Collection<String> known, Remarks remarks) {
        own(HostResult::reasons, known, text -> remarks.reason("%s", text));
        own(HostResult::warnings, known, text -> remarks.warning("%s", text));
        hosts.stream()
                .filter(h -> !h.valid() && !h.wasLost() && h.reasons().isEmpty())
                .forEach(h -> remarks.reason("%s: its part is not valid", name(h)));
    }

    private void own(Function<HostResult, List<String>> kind, Collection<String> known, Consumer<String> remark) {
        Map<String, List<HostResult>> with = new LinkedHashMap<>();
        for (HostResult host : hosts.stream().filter(h -> !h.wasLost()).toList()) {
            for (String text : kind.apply(host)) {
                if (!known.contains(text)) {
                    with.computeIfAbsent(text, t -> new ArrayList<>()).add(host);
                }
            }
        }
        with.forEach((text, of) -> remark.accept(names(of) + ": " + text));
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
