package io.pgstress.result;

import io.pgstress.text.Records;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What ran, as typed values. A comparison has those of its first variant. A scaling, in which the number of clients varies, has
 * 0 clients.
 *
 * @param mix the operations with their weights, as on the command line
 * @param clients on all hosts
 * @param rates the target rate of an open loop, or its steps, in operations per second; empty: a closed loop
 * @param think how long a client of a closed loop waits between two operations; null: it does not
 * @param arrival {@code uniform} or {@code poisson}; null if unknown
 * @param statement the statement mode; null if unknown
 * @param queryMode pgjdbc's {@code preferQueryMode}; null: the driver's default
 * @param pool the kind of pool; {@code none}, or null if unknown
 * @param poolSize connections of the pool per node; 0: as many as clients
 * @param transaction whether each operation was one transaction
 * @param fetchSize rows per fetch; 0: all rows arrived with the statement
 * @param keyDistribution how ids were drawn; null if unknown
 * @param automaticWarmup whether the warm-up was to last until the rate was steady
 * @param maxErrorShare share of failed operations, 0 to 1, above which the run is not valid; null if unknown
 * @param maxMissShares share of misses and duplicates, 0 to 1, above which the run is not valid, by operation; those without an entry
 *     have no limit
 * @param accepted codes of reasons that only warn
 */
public record Workload(
        String mix,
        int clients,
        List<Double> rates,
        @Nullable Think think,
        @Nullable String arrival,
        @Nullable String statement,
        @Nullable String queryMode,
        @Nullable String pool,
        int poolSize,
        boolean transaction,
        int fetchSize,
        @Nullable String keyDistribution,
        boolean automaticWarmup,
        @Nullable Double maxErrorShare,
        Map<String, Double> maxMissShares,
        List<RemarkCode> accepted) {
    public Workload {
        maxMissShares = Collections.unmodifiableMap(new TreeMap<>(Objects.requireNonNullElse(maxMissShares, Map.of())));
        accepted = Objects.requireNonNullElse(accepted, List.of());
    }

    /**
     * A pause of a client.
     *
     * @param micros its mean length in microseconds
     * @param exponential whether lengths are exponentially distributed; otherwise all are equal
     */
    public record Think(double micros, boolean exponential) {}

    /** Whether operations started at set times; otherwise each client sent its next one when the last had ended. */
    public boolean hasRate() {
        return !rates.isEmpty();
    }

    /** The kind of time that is the headline: {@code response} in an open loop, {@code total} in a closed one. */
    public String headline() {
        return hasRate() ? "response" : "total";
    }

    /** The target rate or its steps as text: {@code 50, 100}. */
    public String rateText() {
        return rates.stream()
                .map(r -> r == Math.rint(r) ? Long.toString(r.longValue()) : r.toString())
                .collect(Collectors.joining(", "));
    }

    /** A copy with other numbers of clients and rates. */
    public Workload with(int newClients, List<Double> newRates) {
        return Records.with(Records.with(this, "clients", newClients), "rates", List.copyOf(newRates));
    }
}
