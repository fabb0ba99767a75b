package io.pgstress.operation.custom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.operation.custom.SequenceNumbers.Shuffle;
import io.pgstress.plan.custom.CustomOperation.Source;
import io.pgstress.plan.option.InvalidPlanException;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The order of unique numbers, and that none is used twice. */
final class SequenceNumbersTest {
    private static final Source SOURCE = new Source("", 1, "");

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 17, 64, 1000, 4097})
    void shuffleIsAPermutation(long size) {
        Shuffle shuffle = new Shuffle(size, 42);

        assertThat(LongStream.range(0, size).map(shuffle::at).distinct().filter(i -> i >= 0 && i < size))
                .hasSize((int) size);
    }

    @Test
    void shuffleOfAHugeRangeStaysWithinIt() {
        long size = (1L << 61) + 5;
        Shuffle shuffle = new Shuffle(size, 7);

        assertThat(LongStream.of(0, 1, 2, size / 2, size - 1).map(shuffle::at)).allMatch(i -> i >= 0 && i < size);
    }

    @Test
    void randomOrderIsSpreadOverTheRange() {
        SequenceNumbers ids = SequenceNumbers.random(1, Integer.MAX_VALUE, 1, SOURCE);
        int[] tenths = new int[10];
        int ascents = 0;
        for (int turn = 0; turn < 10_000; turn++) {
            long id = ids.at(turn);
            tenths[(int) ((id - 1) * 10 / (Integer.MAX_VALUE / 2))]++;
            ascents += id < ids.at(turn + 1L) ? 1 : 0;
        }

        assertThat(java.util.Arrays.stream(tenths))
                .allMatch(count -> count > 850 && count < 1150); // 5 standard deviations
        assertThat(ascents).isBetween(4800, 5200);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noNumberIsUsedTwiceOverRuns(boolean isRandom) {
        Set<Long> used = new HashSet<>();
        long greatest = 12_345;
        for (int run = 0; run < 3; run++) {
            long start = greatest;
            SequenceNumbers ids = isRandom
                    ? SequenceNumbers.random(start + 1, Integer.MAX_VALUE, 9, SOURCE)
                    : new SequenceNumbers(start + 1, Integer.MAX_VALUE, null);
            for (int place = 0; place < 800; place++) {
                long id = ids.at(place);
                assertThat(id).isGreaterThan(start).isLessThanOrEqualTo(Integer.MAX_VALUE);
                assertThat(used.add(id)).isTrue();
                greatest = Math.max(greatest, id);
            }
        }
    }

    @Test
    void idsEndWithTheColumnsType() {
        SequenceNumbers ids = new SequenceNumbers(Integer.MAX_VALUE - 1L, Integer.MAX_VALUE, null);

        assertThat(LongStream.range(0, 3).map(turn -> ids.at(turn)))
                .containsExactly(Integer.MAX_VALUE - 1L, (long) Integer.MAX_VALUE, SequenceNumbers.NONE);
        assertThatThrownBy(() -> SequenceNumbers.random(Integer.MAX_VALUE - 900_000L, Integer.MAX_VALUE, 1, SOURCE))
                .isInstanceOf(InvalidPlanException.class)
                .hasMessageStartingWith("random order spreads the numbers over half of those that are left");
    }
}
