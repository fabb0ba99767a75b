package io.pgstress.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Offsets from simulated round trips, whose true offset is known. */
final class ClockOffsetTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1000 * MILLI;

    /** The other's clock when ours shows {@code now}: it differs, and goes too fast by some parts per million. */
    private record OtherClock(long difference, double fastPpm) {
        long at(long now) {
            return now + difference + (long) (now * fastPpm / 1e6);
        }
    }

    private static ClockOffset roundTrip(OtherClock other, long now, long there, long back) {
        return ClockOffset.of(now, other.at(now + there), now + there + back);
    }

    private static ClockOffset best(
            OtherClock other, long from, int trips, long thereMax, long backMax, Random random) {
        long now = from;
        ClockOffset best = null;
        for (int i = 0; i < trips; i++) {
            long there = 20_000 + (long) (thereMax * Math.pow(random.nextDouble(), 3));
            long back = 20_000 + (long) (backMax * Math.pow(random.nextDouble(), 3));
            ClockOffset one = roundTrip(other, now, there, back);
            best = best == null ? one : best.orBetter(one);
            now += there + back;
        }
        return best;
    }

    @ParameterizedTest
    @CsvSource({"5000000, 5000000", "50000000, 0", "0, 50000000", "200000000, 1000000"})
    void errorIsWithinTheBoundHoweverUnequalTheWays(long thereMax, long backMax) {
        Random random = new Random(1);
        for (int i = 0; i < 1000; i++) {
            OtherClock other = new OtherClock(random.nextLong() / 4, 0);
            ClockOffset offset = best(other, random.nextInt(), 10, thereMax, backMax, random);
            assertThat(Math.abs(offset.nanos() - other.difference())).isLessThanOrEqualTo(offset.boundNanos());
        }
    }

    @Test
    void fastestRoundTripOfManyIsUsed() {
        OtherClock other = new OtherClock(-7 * SECOND, 0);
        ClockOffset slow = roundTrip(other, 0, 90 * MILLI, 10 * MILLI);
        ClockOffset fast = roundTrip(other, SECOND, MILLI, MILLI);

        assertThat(slow).isEqualTo(new ClockOffset(-7 * SECOND + 40 * MILLI, 50 * MILLI));
        assertThat(slow.orBetter(fast)).isEqualTo(new ClockOffset(-7 * SECOND, MILLI));
        assertThat(fast.orBetter(slow)).isEqualTo(fast);
    }

    @Test
    void boundGrowsByTheDriftAndThenHoldsAllTheTime() {
        Random random = new Random(2);
        for (double ppm : new double[] {-200, -20, 0, 20, 200}) {
            OtherClock other = new OtherClock(3 * SECOND, ppm);
            ClockOffset start = best(other, 0, 20, MILLI, MILLI, random);
            ClockOffset end = best(other, 600 * SECOND, 20, MILLI, MILLI, random);
            ClockOffset whole = start.until(end);
            assertThat(whole.nanos()).isEqualTo(start.nanos());
            for (long now = 0; now <= 600 * SECOND; now += SECOND) {
                long wrong = Math.abs(now + whole.nanos() - other.at(now));
                assertThat(wrong).isLessThanOrEqualTo(whole.boundNanos());
            }
            assertThat(whole.boundNanos()).isLessThan((long) (600 * SECOND * Math.abs(ppm) / 1e6) + 2 * MILLI);
        }
    }

    @Test
    void clockThatDriftsIsCorrectedAndASlowAnswerMakesNothingWorse() {
        OtherClock other = new OtherClock(3 * SECOND, 50);
        ClockOffset known = roundTrip(other, 0, MILLI, MILLI);
        long hours = 4 * 3600 * SECOND;
        ClockOffset later = roundTrip(other, hours, 2 * MILLI, 3 * MILLI);
        assertThat(known.orLater(later)).isEqualTo(later);
        assertThat(later.orLater(roundTrip(other, hours + SECOND, 2 * SECOND, MILLI)))
                .isEqualTo(later);
        ClockOffset asExact = roundTrip(other, hours + SECOND, 2 * MILLI, 2 * MILLI);
        assertThat(later.orLater(asExact)).isEqualTo(asExact);
    }

    @Test
    void timesConvertAlsoAcrossTheOverflowOfTheClock() {
        ClockOffset offset = ClockOffset.of(Long.MAX_VALUE - 10, Long.MIN_VALUE + 500, Long.MIN_VALUE + 9);
        assertThat(offset).isEqualTo(new ClockOffset(501, 10));
        assertThat(offset.toOurs(Long.MIN_VALUE + 500)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void answerBeforeTheQuestionIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> ClockOffset.of(100, 0, 50));
    }
}
