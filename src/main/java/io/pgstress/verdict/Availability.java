package io.pgstress.verdict;

import io.pgstress.result.IntervalResult;
import io.pgstress.result.NodeResult;
import io.pgstress.result.Outage;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
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

    /** Reports unavailable servers. */
    static void unavailable(RunResult result, Remarks remarks) {
        outages(result).forEach(outage -> cause(result, outage).ifPresent(remarks::add));
    }

    /** The outages that {@link #unavailable} does not report. */
    static List<Outage> unexplained(RunResult result) {
        return outages(result).stream()
                .filter(outage -> cause(result, outage).isEmpty())
                .toList();
    }

    private static Optional<Remark> cause(RunResult result, Outage outage) {
        List<String> evidence = new ArrayList<>(connectionErrors(result, outage));
        // a server that ends or crashes breaks the control connection, too
        boolean wasUp = outage.silentServers().isEmpty() && evidence.stream().noneMatch(OWN_WORDS::contains);
        outage.silentServers().forEach(server -> evidence.add(server + " did not answer its checks"));
        return evidence.isEmpty()
                ? Optional.empty()
                : Optional.of((wasUp ? RemarkCode.CONNECTIONS_BROKE : RemarkCode.SERVER_UNAVAILABLE)
                        .with("server", outage.node() == null ? "the server" : outage.node())
                        .with("fromSeconds", outage.fromSeconds())
                        .with("toSeconds", outage.toSeconds())
                        .with("evidence", String.join(", ", evidence))
                        .remark());
    }

    /** Connection errors during an outage; for the outage of one node, those of its operations. */
    private static Set<String> connectionErrors(RunResult result, Outage outage) {
        return result.intervals().stream()
                .filter(i -> i.atSeconds() < outage.toSeconds() && i.atSeconds() + i.seconds() > outage.fromSeconds())
                .flatMap(i -> states(result, i, outage.node()).stream())
                .filter(s -> s.startsWith(CONNECTION) || SHUTDOWN.contains(s))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The errors in an interval; for a node (not null), those of its operations. */
    private static Set<String> states(RunResult result, IntervalResult interval, @Nullable String url) {
        Set<String> all = interval.errors().keySet();
        Map<String, Set<String>> byNode = interval.nodesErrors();
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
