package io.pgstress.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.plan.HostShare;
import io.pgstress.plan.option.InvalidPlanException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Every client gets ids while some are left, and no two clients get the same. */
final class KeyHandoutTest {
    @Test
    void everyClientGetsSomeOfFewIds() {
        KeyHandout handout = new KeyHandout(1000, 1, HostShare.whole(1000));
        Set<Long> places = new HashSet<>();
        for (int client = 0; client < 1000; client++) {
            places.add(handout.share().next());
        }
        assertThat(places).hasSize(1000).doesNotContain(-1L);
    }

    @Test
    void handsOutAllIdsOnceAndAgainAfterAReset() {
        KeyHandout handout = new KeyHandout(1001, 1, HostShare.whole(3));
        List<KeyHandout.Share> shares = List.of(handout.share(), handout.share(), handout.share());

        assertThat(takeAll(shares)).hasSize(1001).doesNotHaveDuplicates();
        handout.reset();
        assertThat(takeAll(shares)).hasSize(1001).doesNotHaveDuplicates();
    }

    @Test
    void hostsHandOutDisjointRangesThatCoverAllIds() {
        List<Long> places = new ArrayList<>();
        int[] clients = {4, 3, 3};
        int first = 0;
        for (int host = 0; host < clients.length; host++) {
            KeyHandout handout = new KeyHandout(1001, 1, new HostShare(host, 3, first, clients[host], 10));
            places.addAll(takeAll(List.of(handout.share(), handout.share())));
            first += clients[host];
        }
        assertThat(places).hasSize(1001).doesNotHaveDuplicates();
    }

    @Test
    void aHostWithoutIdsIsRefused() {
        assertThatThrownBy(() -> new KeyHandout(2, 1, new HostShare(0, 3, 0, 1, 3)))
                .isInstanceOf(InvalidPlanException.class)
                .hasMessage("--agents: 2 ids are too few for the 3 clients of 3 hosts, which use each id once");
    }

    private static List<Long> takeAll(List<KeyHandout.Share> shares) {
        List<Long> places = new ArrayList<>();
        for (KeyHandout.Share share : shares) {
            for (long place = share.next(); place >= 0; place = share.next()) {
                places.add(place);
            }
        }
        return places;
    }
}
