package io.pgstress.operation.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.operation.workload.NewIds.IdShuffle;
import io.pgstress.plan.option.InvalidPlanException;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The order of new ids, and that none is used twice. */
final class NewIdsTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 17, 64, 1000, 4097})
    void shuffleIsAPermutation(long size) {
        IdShuffle shuffle = new IdShuffle(size, 42);

        assertThat(LongStream.range(0, size).map(shuffle::at).distinct().filter(i -> i >= 0 && i < size))
                .hasSize((int) size);
    }

    @Test
    void shuffleOfAHugeRangeStaysWithinIt() {
        long size = (1L << 61) + 5;
        IdShuffle shuffle = new IdShuffle(size, 7);

        assertThat(LongStream.of(0, 1, 2, size / 2, size - 1).map(shuffle::at)).allMatch(i -> i >= 0 && i < size);
    }

    @Test
    void randomOrderIsSpreadOverTheRange() {
        NewIds ids = NewIds.random(0, Integer.MAX_VALUE, 1);
        int[] tenths = new int[10];
        int ascents = 0;
        for (int turn = 0; turn < 10_000; turn++) {
            long id = ids.id(0, 1, turn);
            tenths[(int) ((id - 1) * 10 / (Integer.MAX_VALUE / 2))]++;
            ascents += id < ids.id(0, 1, turn + 1L) ? 1 : 0;
        }

        assertThat(java.util.Arrays.stream(tenths))
                .allMatch(count -> count > 850 && count < 1150); // 5 standard deviations
        assertThat(ascents).isBetween(4800, 5200);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noIdIsUsedTwiceOverClientsAndRuns(boolean isRandom) {
        Set<Long> used = new HashSet<>();
        long greatest = 12_345;
        for (int run = 0; run < 3; run++) {
            long start = greatest;
            NewIds ids =
                    isRandom ? NewIds.random(start, Integer.MAX_VALUE, 9) : NewIds.ascending(start, Integer.MAX_VALUE);
            for (int client = 0; client < 4; client++) {
                for (int turn = 0; turn < 200; turn++) {
                    long id = ids.id(client, 4, turn);
                    assertThat(id).isGreaterThan(start).isLessThanOrEqualTo(Integer.MAX_VALUE);
                    assertThat(used.add(id)).isTrue();
                    greatest = Math.max(greatest, id);
                }
            }
        }
    }

    @Test
    void idsEndWithTheColumnsType() {
        NewIds ids = NewIds.ascending(Integer.MAX_VALUE - 2L, NewIds.last(false));

        assertThat(LongStream.range(0, 3).map(turn -> ids.id(0, 1, turn)))
                .containsExactly(Integer.MAX_VALUE - 1L, (long) Integer.MAX_VALUE, NewIds.NONE);
        assertThatThrownBy(() -> NewIds.random(Integer.MAX_VALUE - 900_000L, NewIds.last(false), 1))
                .isInstanceOf(InvalidPlanException.class)
                .hasMessageStartingWith("id-order: random spreads the ids over half of those that are left");
    }
}
