package io.pgstress.verdict;

import io.pgstress.result.Outage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Combines the outages that clients noticed with the servers' checks, which tell who was silent but not exactly when. Immutable. */
final class SilentServers {
    private final List<Outage> outages;
    private final List<Silence> silences;
    private final Predicate<Silence> wentOn;

    /**
     * @param outages outages according to the clients' own successes
     * @param wentOn whether operations on a server were answered while its checks were not
     */
    SilentServers(List<Outage> outages, List<Silence> silences, Predicate<Silence> wentOn) {
        this.outages = List.copyOf(outages);
        this.silences = List.copyOf(silences);
        this.wentOn = wentOn;
    }

    /** The outages with the servers silent in them, followed by those that only the checks noticed. */
    List<Outage> outages() {
        List<Outage> all = new ArrayList<>();
        for (Outage outage : outages) {
            all.add(outage.withSilentServers(silences.stream()
                    .filter(s -> isOf(outage, s))
                    .map(Silence::name)
                    .distinct()
                    .toList()));
        }
        silences.stream().filter(this::isUnseen).map(Silence::outage).forEach(all::add);
        return all;
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
        boolean sameNode =
                outage.node() == null || silence.url() == null || outage.node().equals(silence.url());
        return sameNode && silence.meets(outage);
    }

    private boolean isUnseen(Silence silence) {
        return !isContradicted(silence) && outages.stream().noneMatch(o -> isOf(o, silence));
    }
}
