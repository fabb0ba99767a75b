package io.pgstress.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.measure.SuccessTimes.SuccessTracker;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When operations were answered, and how many in each slot. */
final class SuccessTimesTest {
    private static final int SLOT = SuccessTimes.SLOT_MILLIS;

    private final SuccessTimes times = new SuccessTimes();

    /** Operations that end at these milliseconds. */
    private static void succeed(SuccessTracker client, long... ends) {
        for (long end : ends) {
            client.ended(Outcome.OK, 0, (end - 1) * SuccessTimes.MILLI, end * SuccessTimes.MILLI, 0);
        }
    }

    private SuccessTracker client(long... ends) {
        SuccessTracker client = new SuccessTracker(times);
        succeed(client, ends);
        client.finish();
        return client;
    }

    private static int[] counts(SuccessTimes of, int slots) {
        int[] counts = new int[slots];
        for (int slot = 0; slot < slots; slot++) {
            counts[slot] = of.succeeded(slot);
        }
        return counts;
    }

    @Test
    void eachSuccessCountsInTheSlotOfItsEnd() {
        client(5, 5, 6, SLOT - 1, SLOT, 3 * SLOT + 1, 3 * SLOT + 2);
        client(7, SLOT + 9);
        assertThat(counts(times, 5)).containsExactly(5, 2, 0, 2, 0);
    }

    @Test
    void onlySuccessesCountButEachAnswerIsMarked() {
        SuccessTracker client = client(5);
        client.ended(Outcome.MISS, 0, 9 * SuccessTimes.MILLI, 10 * SuccessTimes.MILLI, 0);
        client.ended(Outcome.FAILED, 0, 19 * SuccessTimes.MILLI, 20 * SuccessTimes.MILLI, 0);
        client.finish();

        assertThat(times.succeeded(0)).isOne();
        assertThat(times.next(0)).isEqualTo(5);
        assertThat(times.next(6)).isEqualTo(10);
        assertThat(times.next(11)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void otherHostsAndNodesAreAddedSlotBySlot() {
        client(5, SLOT + 1);
        SuccessTimes sum = new SuccessTimes();
        sum.add(times.encode(), 1);
        sum.add(times.encode(), 2);
        assertThat(counts(sum, 3)).containsExactly(2, 2, 0);
        assertThat(counts(SuccessTimes.together(List.of(times, sum)), 3)).containsExactly(3, 3, 0);
        assertThat(sum.next(6)).isEqualTo(SLOT + 1);
    }
}
