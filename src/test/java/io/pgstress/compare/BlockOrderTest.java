package io.pgstress.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BlockOrderTest {
    @Test
    void everyVariantIsOnceAtEveryPosition() {
        BlockOrder order = new BlockOrder(4, 1);
        for (int cycle = 0; cycle < 10; cycle++) {
            for (int place = 0; place < 4; place++) {
                List<Integer> there = new ArrayList<>();
                for (int round = 0; round < 4; round++) {
                    there.add(order.round(cycle * 4 + round).get(place));
                }
                assertThat(there).containsExactlyInAnyOrder(0, 1, 2, 3);
            }
        }
    }

    @Test
    void seedDeterminesTheOrder() {
        assertThat(orders(7)).isEqualTo(orders(7)).isNotEqualTo(orders(8));
        assertThat(new BlockOrder(2, 3).round(0)).isNotEqualTo(new BlockOrder(2, 3).round(1));
    }

    @Test
    void orderOfARoundDoesNotPredictTheNext() {
        BlockOrder order = new BlockOrder(2, 1);
        int first = 0;
        int again = 0;
        for (int round = 0; round < 2000; round += 2) {
            first += order.round(round).get(0);
            again += order.round(round).equals(order.round(round + 2)) ? 1 : 0;
        }
        assertThat(first).isBetween(450, 550);
        assertThat(again).isBetween(450, 550);
    }

    private static List<List<Integer>> orders(long seed) {
        BlockOrder order = new BlockOrder(3, seed);
        return java.util.stream.IntStream.range(0, 12).mapToObj(order::round).toList();
    }
}
