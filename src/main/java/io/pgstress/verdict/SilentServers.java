package io.pgstress.verdict;

import io.pgstress.result.Outage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Compares the outages that clients met with the checks of the servers, which say who was silent and not when. Immutable. */
final class SilentServers {
    private final List<Outage> outages;
    private final List<Silence> silences;
    private final Predicate<Silence> wentOn;

    /**
     * @param outages by the clients' own successes
     * @param wentOn whether operations on a server were answered while its checks were not
     */
    SilentServers(List<Outage> outages, List<Silence> silences, Predicate<Silence> wentOn) {
        this.outages = List.copyOf(outages);
        this.silences = List.copyOf(silences);
        this.wentOn = wentOn;
    }

    /** The outages with who was silent in them, then those that only the checks show. */
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

    /** The silences that belong to no outage. */
    List<Silence> others() {
        return silences.stream()
                .filter(s -> outages.stream().noneMatch(o -> isOf(o, s)))
                .toList();
    }

    /** Whether operations on a silent server succeeded meanwhile: the server was available, its control connection was not. */
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
