package io.pgstress.result;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a climb of the number of clients found.
 *
 * @param kind {@value #KIND}, which tells its JSON from a run's
 * @param steps with rising numbers of clients; several of the same number where it was measured again
 * @param fit the Universal Scalability Law's curve through the steps; null where they do not bear one
 * @param knee the fewest clients that are known to be within 3% of best throughput; null where that was not determined
 * @param withinLimit the most load that keeps the latency limit; null where none was asked for or none keeps it
 * @param kneeSearch what the knee rests on; null where no operation succeeded and in results of before there was any
 * @param verdict in words, a sentence each
 * @param reasons why the figures may not be used
 */
public record Scaling(
        int schema,
        String kind,
        ToolInfo tool,
        RunInfo run,
        ClientInfo client,
        List<ServerInfo> servers,
        DatasetInfo dataset,
        List<Step> steps,
        @Nullable Fit fit,
        @Nullable Point knee,
        @Nullable Point peak,
        @Nullable Point withinLimit,
        @Nullable Double latencyLimitMicros,
        @Nullable KneeSearch kneeSearch,
        List<String> verdict,
        boolean valid,
        List<String> reasons,
        List<String> warnings)
        implements Result {
    public static final int SCHEMA = 1;
    public static final String KIND = "scaling";

    public Scaling {
        reasons = Objects.requireNonNullElse(reasons, List.of()); // older results do not have it
    }

    /** A number of clients, measured; the interval is that of the throughput. */
    public record Step(
            int clients,
            double seconds,
            double opsPerSecond,
            @Nullable Double low,
            @Nullable Double high,
            Latency latencyMicros,
            long errors) {}

    /** A number of clients and what it does. */
    public record Point(int clients, double opsPerSecond, double p99Micros) {}

    /**
     * What the steps that were measured again say: the knee is at one of the numbers of clients that were measured, from
     * {@code fromClients} to {@code toClients}.
     *
     * @param bestClients with the best throughput of the climb; ratios are to it
     * @param nearShare a throughput from that share of the best on is enough
     * @param confidence of all decisions together
     * @param toClients null where throughput still rose at the most clients that were measured
     * @param seconds that measuring again took
     * @param secondsToDecide how much more would probably determine the knee; null where it is, or where that is not known
     * @param repeats every step that was measured again, in order
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
     * A number of clients' throughput as a share of the best, over rounds in which both were measured.
     *
     * @param enough whether it is within {@code nearShare} of the best; null where that is not decided
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
     * @param lambda operations per second of one client alone
     * @param sigma contention: the share that is done one after the other, 0 to 1
     * @param kappa coherency: what each pair of clients costs
     */
    public record Fit(Coefficient lambda, Coefficient sigma, Coefficient kappa) {
        /** The curve's throughput with this number of clients. */
        public double at(double clients) {
            return lambda.value * clients / (1 + sigma.value * (clients - 1) + kappa.value * clients * (clients - 1));
        }
    }

    /** A coefficient with its interval. */
    public record Coefficient(
            double value, @Nullable Double low, @Nullable Double high) {}
}
