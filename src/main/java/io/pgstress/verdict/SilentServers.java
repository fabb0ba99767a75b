package io.pgstress.verdict;

import io.pgstress.result.Outage;
import java.util.ArrayList;
import java.util.List;

/** Holds the outages that clients met against the checks of the servers, which say who was silent and not when. Immutable. */
public final class SilentServers {
    private final List<Outage> outages;
    private final List<Silence> silences;

    /** @param outages by the clients' own successes */
    public SilentServers(List<Outage> outages, List<Silence> silences) {
        this.outages = List.copyOf(outages);
        this.silences = List.copyOf(silences);
    }

    /** The outages with who was silent in them, then those of servers that no client could tell of. */
    public List<Outage> outages() {
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

    /** The silences that are named beside no outage. */
    public List<Silence> others() {
        return silences.stream()
                .filter(s -> outages.stream().noneMatch(o -> isOf(o, s)))
                .toList();
    }

    /** Whether operations on a silent server succeeded meanwhile: the server was available, its control connection was not. */
    public static boolean isContradicted(Silence silence) {
        return silence.url() != null;
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
