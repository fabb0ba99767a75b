package io.pgstress.result;

import io.pgstress.result.Sum.Addend;
import io.pgstress.result.Sum.By;
import io.pgstress.result.Sum.Rule;
import io.pgstress.text.Rounded;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * One coordinator's share of the load.
 *
 * @param clientOperations how evenly its clients worked; null if unknown
 * @param reached the servers that its clients' sessions reached; null if they were not asked, because nothing was between them and the
 *     only server
 */
public record NodeResult(
        String url,
        @By(Rule.ADDED) int clients,
        Map<String, OperationResult> operations,
        @By(Rule.ALL_KNOWN) @Nullable Network network,
        @Nullable ClientOperations clientOperations,
        @By(Rule.BY_CALLER) @Nullable List<ReachedSessions> reached) {

    /**
     * Successful operations per client, of those that ended within the measurement.
     *
     * @param clients the number of clients whose operations are known: those on a lost host are not
     * @param stddev standard deviation over the clients, as a population; null if unknown
     */
    public record ClientOperations(
            int clients,
            long min,
            double mean,
            long max,
            @Nullable Double stddev) implements Addend<ClientOperations> {
        /** The figures of these counts, one per client; null if there are none. */
        public static @Nullable ClientOperations of(long... counts) {
            if (counts.length == 0) {
                return null;
            }
            LongSummaryStatistics all = LongStream.of(counts).summaryStatistics();
            double mean = all.getAverage();
            double squares = LongStream.of(counts)
                    .mapToDouble(count -> (count - mean) * (count - mean))
                    .sum();
            return new ClientOperations(
                    counts.length, all.getMin(), mean, all.getMax(), Math.sqrt(squares / counts.length));
        }

        @Override
        public ClientOperations plus(ClientOperations other) {
            double all = clients + other.clients;
            double together = (mean * clients + other.mean * other.clients) / all;
            Double deviation = stddev == null || other.stddev == null
                    ? null
                    : Double.valueOf(Math.sqrt(
                            (squaresFrom(together, stddev) + other.squaresFrom(together, other.stddev)) / all));
            return new ClientOperations(
                    clients + other.clients, Math.min(min, other.min), together, Math.max(max, other.max), deviation);
        }

        /** The sum of the squared distances of its clients from this value. */
        private double squaresFrom(double center, double deviation) {
            return clients * (deviation * deviation + (mean - center) * (mean - center));
        }

        /** The counts in words. */
        public String words() {
            return Rounded.format("%,d to %,d operations, mean %,." + (mean < 100 ? 1 : 0) + "f", min, max, mean)
                    + (stddev == null ? "" : Rounded.format(", standard deviation %,.0f", stddev));
        }
    }
}
