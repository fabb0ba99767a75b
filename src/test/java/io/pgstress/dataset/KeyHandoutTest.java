package io.pgstress.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Every client gets ids while some are left, and no two clients get the same. */
final class KeyHandoutTest {
    @Test
    void everyClientGetsSomeOfFewIds() {
        KeyHandout handout = new KeyHandout(1000, 1);
        Set<Integer> places = new HashSet<>();
        for (int client = 0; client < 1000; client++) {
            places.add(handout.share(1000).next());
        }
        assertThat(places).hasSize(1000).doesNotContain(-1);
    }

    @Test
    void handsOutAllIdsOnceAndAgainAfterAReset() {
        KeyHandout handout = new KeyHandout(1001, 1);
        List<KeyHandout.Share> shares = List.of(handout.share(3), handout.share(3), handout.share(3));

        assertThat(takeAll(shares)).hasSize(1001).doesNotHaveDuplicates();
        handout.reset();
        assertThat(takeAll(shares)).hasSize(1001).doesNotHaveDuplicates();
    }

    private static List<Integer> takeAll(List<KeyHandout.Share> shares) {
        List<Integer> places = new ArrayList<>();
        for (KeyHandout.Share share : shares) {
            for (int place = share.next(); place >= 0; place = share.next()) {
                places.add(place);
            }
        }
        return places;
    }
}
