package io.pgstress.result;

import io.pgstress.text.Inline;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a search over the number of clients.
 *
 * @param kind {@value #KIND}, which distinguishes its JSON from the JSON of a run
 * @param steps steps by increasing number of clients; one number occurs several times if it was measured again
 * @param fit the curve of the Universal Scalability Law through the steps; null if it does not fit
 * @param knee the fewest clients known to be within 3% of the best throughput; null if undetermined
 * @param kneeSearch the evidence for the knee; null if no operation succeeded
 * @param verdict the conclusions, one sentence each
 */
public record Scaling(
        @Inline Header header,
        String kind,
        List<Step> steps,
        @Nullable Fit fit,
        @Nullable Point knee,
        @Nullable Point peak,
        @Nullable KneeSearch kneeSearch,
        List<String> verdict,
        @Inline Validity validity)
        implements Result {
    public static final int SCHEMA = 1;
    public static final String KIND = "scaling";

    /** The measurement of one number of clients, with the interval of the throughput. */
    public record Step(
            int clients,
            double seconds,
            double opsPerSecond,
            @Nullable Double low,
            @Nullable Double high,
            Latency latencyMicros,
            long errors) {}

    /** A number of clients and its figures. */
    public record Point(int clients, double opsPerSecond, double p99Micros) {}

    /**
     * The conclusion from the steps that were measured again: the knee is one of the measured numbers of clients from {@code
     * fromClients} to {@code toClients}.
     *
     * @param bestClients number of clients with the best throughput, the base of the ratios
     * @param nearShare a throughput of at least this share of the best is enough
     * @param confidence confidence of all decisions together
     * @param toClients null if throughput still rose at the highest number of clients
     * @param seconds time spent on measuring again
     * @param secondsToDecide estimated additional time until the knee is determined; null if it is determined, or if unknown
     * @param repeats the steps that were measured again, in order
     */
    public record KneeSearch(
            int bestClients,
            double nearShare,
            double confidence,
            int fromClients,
            @Nullable Integer toClients,
            double seconds,
            @Nullable Double secondsToDecide,
            List<Ratio> ratios,
            List<Repeat> repeats) {}

    /**
     * The throughput of one number of clients as a share of the best, over the rounds in which both were measured.
     *
     * @param enough whether it is within {@code nearShare} of the best; null if undecided
     */
    public record Ratio(
            int clients,
            int rounds,
            double ratio,
            double low,
            double high,
            @Nullable Boolean enough) {}

    /** A step that was measured again. */
    public record Repeat(int clients, double seconds, double opsPerSecond, double p99Micros, long errors) {}

    /**
     * X(N) = lambda N / (1 + sigma (N - 1) + kappa N (N - 1)): Gunther, Guerrilla Capacity Planning, 2007.
     *
     * @param lambda operations per second of a single client
     * @param sigma contention: the serial share of the work, 0 to 1
     * @param kappa coherency: the cost of each pair of clients
     */
    public record Fit(Coefficient lambda, Coefficient sigma, Coefficient kappa) {
        /** The throughput of the curve at this number of clients. */
        public double at(double clients) {
            return lambda.value * clients / (1 + sigma.value * (clients - 1) + kappa.value * clients * (clients - 1));
        }
    }

    /** No limit can be requested of it. */
    @Override
    public boolean exceedsLimit() {
        return false;
    }

    /** A coefficient with its interval. */
    public record Coefficient(
            double value, @Nullable Double low, @Nullable Double high) {}
}
