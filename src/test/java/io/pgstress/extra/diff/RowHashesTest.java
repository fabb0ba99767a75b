package io.pgstress.extra.diff;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.extra.diff.RowHashes.PairMemory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hashes of rows come back in order, from memory and from the temporary file. */
final class RowHashesTest {
    private static final int ROWS = 100_000;

    /** The keys are in 32 of the parts, so that each has more than fit without memory. */
    private static final long IN_FEW_PARTS = 0x8FFF_FFFF_FFFF_FFFFL;

    private record Pair(long key, long row) {}

    /** @param pairs room for more pairs than the first 16 of each part; 10,000 and 0 make it write segments */
    @ParameterizedTest
    @ValueSource(longs = {1 << 20, 10_000, 0})
    void partsHaveEveryPairInOrder(long pairs) throws Exception {
        SplittableRandom random = new SplittableRandom(pairs);
        List<Pair> expected = new ArrayList<>();
        List<Pair> found = new ArrayList<>();
        try (RowHashes hashes = new RowHashes(new PairMemory(pairs))) {
            for (int i = 0; i < ROWS; i++) {
                // about every key occurs twice, with its rows in ascending order
                long key = random.nextInt(ROWS / 2) * 0x9E3779B97F4A7C15L & IN_FEW_PARTS;
                hashes.add(key, i);
                expected.add(new Pair(key, i));
            }
            assertThat(hashes.count()).isEqualTo(ROWS);
            assertThat(hashes.segments()).isBetween(pairs < ROWS ? 1 : 0, pairs < ROWS ? 4 : 0);
            for (int part = 0; part < RowHashes.PARTS; part++) {
                long[] of = hashes.part(part);
                int first = found.size();
                for (int i = 0; i < of.length; i += 2) {
                    found.add(new Pair(of[i], of[i + 1]));
                }
                long number = part;
                assertThat(found.subList(first, found.size())).allMatch(pair -> pair.key() >>> 56 == number);
            }
        }
        expected.sort(Comparator.comparing(Pair::key, Long::compareUnsigned).thenComparing(Pair::row));
        assertThat(found).isEqualTo(expected);
    }
}
