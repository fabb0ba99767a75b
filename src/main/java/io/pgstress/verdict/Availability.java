package io.pgstress.verdict;

import io.pgstress.result.IntervalResult;
import io.pgstress.result.NodeResult;
import io.pgstress.result.Outage;
import io.pgstress.result.ReachedSessions;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether servers were available during the measurement. A period without successes is an outage of a server if its checks
 * were unanswered. If they were answered and connections failed, these broke. Otherwise it may be a stall of the system itself, which
 * counts in the figures if short.
 */
final class Availability {
    private static final double MAX_IDLE = 0.1;
    private static final double MIN_IDLE_SECONDS = 1;

    /** SQLSTATE class of connection exceptions. */
    private static final String CONNECTION = "08";

    /** Shutdown and start of a server: admin_shutdown, crash_shutdown, cannot_connect_now. */
    private static final Set<String> SHUTDOWN = Set.of("57P01", "57P02", "57P03");

    /** What a server says while it starts or after a crash, so that it was not available: crash_shutdown, cannot_connect_now. */
    private static final Set<String> OWN_WORDS = Set.of("57P02", "57P03");

    private Availability() {}

    /**
     * What an outage is, apart from its times. Several outages of one cause are one remark.
     *
     * @param server that failed
     * @param other the server that reported it, or that took over; empty: none
     */
    private record Cause(RemarkCode code, String server, String other) {}

    /** A time without success: several nodes may have had the same outage. */
    private record Period(double from, double to) {
        /** The times of these outages, in order, those that overlap as one. */
        static List<Period> of(List<Outage> outages) {
            List<Period> periods = new ArrayList<>();
            outages.stream()
                    .sorted(Comparator.comparingDouble(Outage::fromSeconds))
                    .forEach(outage -> {
                        int last = periods.size() - 1;
                        if (last >= 0 && outage.fromSeconds() <= periods.get(last).to) {
                            double to = Math.max(periods.get(last).to, outage.toSeconds());
                            periods.set(last, new Period(periods.get(last).from, to));
                        } else {
                            periods.add(new Period(outage.fromSeconds(), outage.toSeconds()));
                        }
                    });
            return periods;
        }
    }

    /** Reports unavailable servers. */
    static void unavailable(RunResult result, Remarks remarks) {
        Map<Cause, List<Outage>> byCause = new LinkedHashMap<>();
        outages(result)
                .forEach(outage -> cause(result, outage)
                        .ifPresent(cause -> byCause.computeIfAbsent(cause, c -> new ArrayList<>())
                                .add(outage)));
        byCause.forEach((cause, ofCause) -> remarks.add(remark(result, cause, ofCause)));
    }

    /** The outages that {@link #unavailable} does not report. */
    static List<Outage> unexplained(RunResult result) {
        return outages(result).stream()
                .filter(outage -> cause(result, outage).isEmpty())
                .toList();
    }

    private static Remark remark(RunResult result, Cause cause, List<Outage> outages) {
        Set<String> evidence = new TreeSet<>();
        for (Outage outage : outages) {
            evidence.addAll(connectionErrors(result, outage));
            evidence.addAll(remoteErrors(result, outage).keySet());
        }
        List<String> found = new ArrayList<>(evidence);
        if (outages.stream().anyMatch(outage -> !outage.silentServers().isEmpty())) {
            found.add("health checks unanswered");
        }
        List<Period> all = Period.of(outages);
        double from = all.get(0).from();
        double to = all.get(all.size() - 1).to();
        Integer periods = all.size() == 1 ? null : Integer.valueOf(all.size());
        Double seconds = periods == null
                ? null
                : Double.valueOf(
                        all.stream().mapToDouble(p -> p.to() - p.from()).sum());
        String words = String.join(", ", found);
        return switch (cause.code) {
            case REMOTE_SERVER_LOST ->
                RemarkCode.REMOTE_SERVER_LOST
                        .with("coordinator", cause.other)
                        .with("server", cause.server)
                        .with("fromSeconds", from)
                        .with("toSeconds", to)
                        .with("periods", periods)
                        .with("seconds", seconds)
                        .with("evidence", words)
                        .remark();
            case FAILOVER ->
                RemarkCode.FAILOVER
                        .with("server", cause.server)
                        .with("successor", cause.other)
                        .with("fromSeconds", from)
                        .with("toSeconds", to)
                        .with("periods", periods)
                        .with("seconds", seconds)
                        .with("evidence", words)
                        .remark();
            default ->
                (cause.code == RemarkCode.SERVER_UNAVAILABLE
                                ? RemarkCode.SERVER_UNAVAILABLE
                                : RemarkCode.CONNECTIONS_BROKE)
                        .with("server", cause.server)
                        .with("fromSeconds", from)
                        .with("toSeconds", to)
                        .with("periods", periods)
                        .with("seconds", seconds)
                        .with("evidence", words)
                        .remark();
        };
    }

    private static Optional<Cause> cause(RunResult result, Outage outage) {
        Map<String, Set<String>> remote = remoteErrors(result, outage);
        Set<String> own = new TreeSet<>(connectionErrors(result, outage));
        own.removeAll(remote.keySet());
        boolean wasDown = own.stream().anyMatch(OWN_WORDS::contains);
        List<String> silent = outage.silentServers();
        if (silent.isEmpty() && own.isEmpty() && remote.isEmpty()) {
            return Optional.empty();
        }
        String node = outage.node() == null ? "the server" : outage.node();
        Optional<Cause> failover = own.isEmpty() ? Optional.empty() : failover(result, outage);
        if (failover.isPresent()) {
            return failover;
        }
        if (!silent.isEmpty()) {
            return Optional.of(new Cause(RemarkCode.SERVER_UNAVAILABLE, String.join(" and ", silent), ""));
        }
        if (own.isEmpty()) {
            Set<String> named = new TreeSet<>();
            remote.values().forEach(named::addAll);
            return Optional.of(new Cause(
                    RemarkCode.REMOTE_SERVER_LOST,
                    named.isEmpty() ? "another server of the cluster" : String.join(" and ", named),
                    outage.node() == null ? "The coordinator" : outage.node()));
        }
        return Optional.of(new Cause(wasDown ? RemarkCode.SERVER_UNAVAILABLE : RemarkCode.CONNECTIONS_BROKE, node, ""));
    }

    /** The servers of a URL, of which one took over all sessions from the other; empty if that did not happen. */
    private static Optional<Cause> failover(RunResult result, Outage outage) {
        return result.nodes().stream()
                .filter(n -> outage.node() == null || n.url().equals(outage.node()))
                .map(NodeResult::reached)
                .filter(Objects::nonNull)
                .flatMap(reached -> ReachedSessions.successions(reached).stream())
                .findFirst()
                .map(pair -> new Cause(
                        RemarkCode.FAILOVER, pair.get(0).server(), pair.get(1).server()));
    }

    /** Connection errors during an outage; for the outage of one node, those of its operations. */
    private static Set<String> connectionErrors(RunResult result, Outage outage) {
        return during(result, outage)
                .flatMap(i -> states(result, i, outage.node()).stream())
                .filter(s -> s.startsWith(CONNECTION) || SHUTDOWN.contains(s))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** What servers reported of others during an outage: SQLSTATEs with the addresses that were named. */
    private static Map<String, Set<String>> remoteErrors(RunResult result, Outage outage) {
        Map<String, Set<String>> all = new TreeMap<>();
        during(result, outage).forEach(interval -> {
            Set<String> states = states(result, interval, outage.node());
            interval.places().remoteErrors().forEach((state, addresses) -> {
                if (states.contains(state)) {
                    all.computeIfAbsent(state, s -> new TreeSet<>()).addAll(addresses);
                }
            });
        });
        return all;
    }

    private static Stream<IntervalResult> during(RunResult result, Outage outage) {
        return result.intervals().stream()
                .filter(i -> i.atSeconds() < outage.toSeconds() && i.atSeconds() + i.seconds() > outage.fromSeconds());
    }

    /** The errors in an interval; for a node (not null), those of its operations. */
    private static Set<String> states(RunResult result, IntervalResult interval, @Nullable String url) {
        Set<String> all = interval.errors().keySet();
        Map<String, Set<String>> byNode = interval.places().nodesErrors();
        if (url == null) {
            return all;
        }
        return byNode == null
                ? all.stream().filter(s -> wasMetOn(result, url, s)).collect(Collectors.toSet())
                : byNode.getOrDefault(url, Set.of());
    }

    /** Whether operations on a node met this error at any time of the run. Also true if the result lacks the node. */
    private static boolean wasMetOn(RunResult result, String url, String state) {
        List<NodeResult> nodes =
                result.nodes().stream().filter(n -> n.url().equals(url)).toList();
        return nodes.isEmpty()
                || nodes.stream()
                        .flatMap(node -> node.operations().values().stream())
                        .anyMatch(operation -> operation.errors().containsKey(state));
    }

    private static List<Outage> outages(RunResult result) {
        return result.load().outages().stream().filter(o -> !o.silent()).toList();
    }

    /** A run with a long idle period does not show the rate of normal operation. */
    static void idle(RunFigures run, Remarks remarks) {
        double seconds = run.seconds();
        double without = secondsWithoutSuccess(run);
        if (without >= MIN_IDLE_SECONDS && without > MAX_IDLE * seconds) {
            remarks.add(RemarkCode.MOSTLY_IDLE
                    .with("percent", 100 * without / seconds)
                    .remark());
        }
    }

    /** The time within the measurement in which no server answered an operation although clients tried. */
    static double secondsWithoutSuccess(RunFigures run) {
        return outages(run.result()).stream()
                .filter(o -> o.node() == null)
                .mapToDouble(o -> Math.max(0, Math.min(run.seconds(), o.toSeconds()) - o.fromSeconds()))
                .sum();
    }
}
