package io.pgstress.verdict;

import io.pgstress.result.Outage;
import io.pgstress.text.Rounded;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Combines the outages that clients noticed with the servers' checks, which tell who was silent but not exactly when. Immutable. */
public final class SilentServers {
    /** Checks are at most this far apart, so an answer is later than the server's return by less. */
    private static final double CHECK_SECONDS = 2;

    private final List<Outage> outages;
    private final List<Silence> silences;
    private final List<Silence> late;
    private final Predicate<Silence> wentOn;

    /**
     * @param outages outages according to the clients' own successes
     * @param late periods in which a check waited for its answer; they are too short to count by themselves
     * @param wentOn whether operations on a server were answered while its checks were not
     */
    SilentServers(List<Outage> outages, List<Silence> silences, List<Silence> late, Predicate<Silence> wentOn) {
        this.outages = List.copyOf(outages);
        this.silences = List.copyOf(silences);
        this.late = List.copyOf(late);
        this.wentOn = wentOn;
    }

    /** The outages with the servers silent in them, followed by those that only the checks noticed. */
    List<Outage> outages() {
        List<Outage> all = new ArrayList<>();
        for (Outage outage : outages) {
            List<Silence> of = Stream.concat(
                            silences.stream().filter(s -> isOf(outage, s)),
                            late.stream().filter(s -> wasSilentIn(outage, s)))
                    .toList();
            Outage named = outage.withSilentServers(
                    of.stream().map(Silence::name).distinct().toList());
            double answered = of.stream().mapToDouble(Silence::to).max().orElse(Double.MAX_VALUE);
            boolean isOver = of.stream().allMatch(Silence::isOver) && answered < outage.toSeconds() - CHECK_SECONDS;
            all.add(isOver ? named.withAnswerAt(answered) : named);
        }
        silences.stream().filter(this::isUnseen).map(Silence::outage).forEach(all::add);
        return all;
    }

    /** The silences, and of the shorter periods without an answer those that match an outage. */
    List<Silence> all() {
        return Stream.concat(
                        silences.stream(),
                        late.stream().filter(s -> outages.stream().anyMatch(o -> wasSilentIn(o, s))))
                .toList();
    }

    /** The silences that match no outage. */
    List<Silence> others() {
        return silences.stream()
                .filter(s -> outages.stream().noneMatch(o -> isOf(o, s)))
                .toList();
    }

    /** Whether operations on a silent server succeeded: it was available, and only its control connection was lost. */
    boolean isContradicted(Silence silence) {
        return wentOn.test(silence);
    }

    private static boolean isOf(Outage outage, Silence silence) {
        return isOfNode(outage, silence) ? silence.meets(outage) : silence.isOfCluster() && silence.fills(outage);
    }

    /** A node of a cluster stops the operations of other nodes, too. */
    private static boolean wasSilentIn(Outage outage, Silence late) {
        return (isOfNode(outage, late) || late.isOfCluster()) && late.fills(outage);
    }

    private static boolean isOfNode(Outage outage, Silence silence) {
        return outage.node() == null || silence.url() == null || outage.node().equals(silence.url());
    }

    private boolean isUnseen(Silence silence) {
        return !isContradicted(silence) && outages.stream().noneMatch(o -> isOf(o, silence));
    }

    /** A period in which no server of a cluster answered its checks, in seconds since the start of the measurement. */
    record CommonSilence(double from, double to) {
        /** Checks are seconds apart: silences that overlap by less may have been consecutive. */
        private static final double MIN_SECONDS = 1;

        /**
         * Finds the common silences among those of single servers.
         *
         * @param servers number of servers in the cluster; a single one has no common silence
         */
        static List<CommonSilence> of(List<Silence> silences, int servers) {
            Map<String, List<Silence>> byNode = silences.stream().collect(Collectors.groupingBy(Silence::node));
            if (servers < 2 || byNode.size() < servers) {
                return List.of();
            }
            List<CommonSilence> common = List.of(new CommonSilence(0, Double.MAX_VALUE));
            for (List<Silence> ofNode : byNode.values()) {
                List<CommonSilence> both = new ArrayList<>();
                for (CommonSilence one : common) {
                    for (Silence other : ofNode) {
                        both.add(new CommonSilence(Math.max(one.from, other.from()), Math.min(one.to, other.to())));
                    }
                }
                common = both.stream()
                        .filter(c -> c.to - c.from >= MIN_SECONDS)
                        .distinct()
                        .toList();
            }
            return common;
        }
    }

    /**
     * A period in which a server did not answer the checks of its control connection. Checks are seconds apart, so they tell which server
     * was silent but only roughly when. Seconds since the start of the measurement.
     *
     * @param node the server's name
     * @param role its role in the cluster
     * @param url the URL that clients use; null if they do not connect to it
     * @param from its last answer before
     * @param asked the first unanswered check
     * @param to its next answer, or the last check
     * @param isOver whether it answered again
     */
    public record Silence(
            String node, String role, @Nullable String url, double from, double asked, double to, boolean isOver) {
        /** The role of a server outside any cluster. */
        public static final String SINGLE = "server";

        private static final double MIN_SHARE = 0.5;
        private static final double MIN_SECONDS = 1;

        public String name() {
            return node.equals(url) && role.equals(SINGLE) ? node : node + " (" + role + ")";
        }

        /** This period in seconds since the given time. */
        public Silence since(double seconds) {
            return new Silence(node, role, url, from - seconds, asked - seconds, to - seconds, isOver);
        }

        /** When it ended, as text: {@code 3.5 s} or {@code the end}. */
        String end() {
            return isOver ? Rounded.format("%.1f s", to) : "the end";
        }

        /** The silence as an outage that only the checks noticed. */
        Outage outage() {
            return new Outage(Math.max(0, from), to, node, true);
        }

        /** Whether the server belongs to a cluster. */
        boolean isOfCluster() {
            return !role.equals(SINGLE);
        }

        /** Whether a check was unanswered for most of the outage. On a full machine, answers are late, but by less. */
        boolean fills(Outage outage) {
            double seconds = Math.min(to, outage.toSeconds()) - Math.max(asked, outage.fromSeconds());
            return seconds >= Math.max(MIN_SECONDS, MIN_SHARE * (outage.toSeconds() - outage.fromSeconds()));
        }

        /** Whether it may be the same period as the outage. */
        boolean meets(Outage outage) {
            return from < outage.toSeconds() && to > outage.fromSeconds();
        }
    }
}
