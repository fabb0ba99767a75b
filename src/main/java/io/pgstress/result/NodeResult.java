package io.pgstress.result;

import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * One coordinator's share of the load.
 *
 * @param clientOperations how evenly its clients worked; null if unknown, as in older results
 */
public record NodeResult(
        String url,
        int clients,
        Map<String, OperationResult> operations,
        @Nullable Network network,
        @Nullable ClientOperations clientOperations) {

    /**
     * Successful operations per client, of those that ended within the measurement.
     *
     * @param clients the number of clients whose operations are known: those on a lost host are not
     */
    public record ClientOperations(int clients, long min, double mean, long max) {
        /** The figures of these counts, one per client; null if there are none. */
        public static @Nullable ClientOperations of(long... counts) {
            return counts.length == 0
                    ? null
                    : new ClientOperations(
                            counts.length,
                            LongStream.of(counts).min().orElse(0),
                            LongStream.of(counts).average().orElse(0),
                            LongStream.of(counts).max().orElse(0));
        }

        /** The figures of all clients together; unknown parts are ignored, and null is returned if all are. */
        public static @Nullable ClientOperations together(Collection<? extends @Nullable ClientOperations> parts) {
            return parts.stream()
                    .filter(Objects::nonNull)
                    .map(ClientOperations.class::cast)
                    .reduce(ClientOperations::plus)
                    .orElse(null);
        }

        private ClientOperations plus(ClientOperations other) {
            int all = clients + other.clients;
            return new ClientOperations(
                    all,
                    Math.min(min, other.min),
                    (mean * clients + other.mean * other.clients) / all,
                    Math.max(max, other.max));
        }
    }
}
