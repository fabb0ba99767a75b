package io.pgstress.result;

import io.pgstress.measure.Phase;
import io.pgstress.result.Sum.Addend;
import io.pgstress.result.Sum.By;
import io.pgstress.result.Sum.Rule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The pauses of all clients while an operation was reset because its ids were used up; they are excluded from all other
 * figures.
 *
 * @param atSeconds start of each of the first thousand, in measured time
 * @param rounds the rounds between the pauses; null for a run without {@code --round-time}
 */
public record Pauses(
        @By(Rule.ADDED) int count,
        @By(Rule.MAX) double seconds,
        @By(Rule.SORTED) List<Double> atSeconds,
        @By(Rule.ALL_KNOWN) @Nullable Rounds rounds) {
    public static final Pauses NONE = new Pauses(0, 0, List.of(), null);

    /**
     * Rows per second of each round, from the intervals: the rows of an interval in which a round ends are divided by time.
     *
     * @param rowsPerSecond by round; without a first or last one that was measured for less than half of the longest
     * @param changePerRound slope of the least-squares line through them, in rows per second per round
     */
    public record Rounds(List<Double> rowsPerSecond, double changePerRound) implements Addend<Rounds> {
        public Rounds {
            rowsPerSecond = List.copyOf(rowsPerSecond);
        }

        /**
         * The rounds of a run; null if there are fewer than two, or if an interval is longer than half a round.
         *
         * @param ends end of each round but the last, in seconds since the start of the measurement
         */
        public static @Nullable Rounds of(List<IntervalResult> all, List<Double> ends) {
            List<IntervalResult> intervals =
                    all.stream().filter(i -> i.in(Phase.MEASURE)).toList();
            if (intervals.isEmpty()) {
                return null;
            }
            double end = intervals.stream()
                    .mapToDouble(i -> i.atSeconds() + i.seconds())
                    .max()
                    .orElseThrow();
            List<Double> bounds = new ArrayList<>(List.of(0.0));
            ends.stream().filter(at -> at > 0 && at < end).forEach(bounds::add);
            bounds.add(end);
            double longest = IntStream.range(1, bounds.size())
                    .mapToDouble(r -> bounds.get(r) - bounds.get(r - 1))
                    .max()
                    .orElseThrow();
            double interval = intervals.stream()
                    .mapToDouble(IntervalResult::seconds)
                    .max()
                    .orElseThrow();
            double[] rates = IntStream.range(1, bounds.size())
                    .filter(r -> bounds.get(r) - bounds.get(r - 1) >= longest / 2)
                    .mapToDouble(r -> rate(intervals, bounds.get(r - 1), bounds.get(r)))
                    .toArray();
            return rates.length < 2 || interval > longest / 2 ? null : of(rates);
        }

        private static Rounds of(double... rates) {
            return new Rounds(Arrays.stream(rates).boxed().toList(), slope(rates));
        }

        /** The rounds of two hosts together, as far as both have them. */
        @Override
        public Rounds plus(Rounds other) {
            return of(IntStream.range(0, Math.min(rowsPerSecond.size(), other.rowsPerSecond.size()))
                    .mapToDouble(r -> rowsPerSecond.get(r) + other.rowsPerSecond.get(r))
                    .toArray());
        }

        private static double rate(List<IntervalResult> intervals, double from, double to) {
            double rows = 0;
            for (IntervalResult i : intervals) {
                double shared = Math.min(to, i.atSeconds() + i.seconds()) - Math.max(from, i.atSeconds());
                rows += shared > 0 ? i.rowsPerSecond() * shared : 0;
            }
            return rows / (to - from);
        }

        private static double slope(double[] rates) {
            double middle = (rates.length - 1) / 2.0;
            double of = 0;
            double by = 0;
            for (int r = 0; r < rates.length; r++) {
                of += (r - middle) * rates[r];
                by += (r - middle) * (r - middle);
            }
            return of / by;
        }

        public double first() {
            return rowsPerSecond.get(0);
        }

        public double last() {
            return rowsPerSecond.get(rowsPerSecond.size() - 1);
        }
    }
}
