package io.pgstress.result;

import io.pgstress.result.RunResult.Client;
import io.pgstress.result.RunResult.Dataset;
import io.pgstress.result.RunResult.Run;
import io.pgstress.result.RunResult.Server;
import io.pgstress.result.RunResult.Tool;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a climb of the number of clients found.
 *
 * @param kind {@value #KIND}, which tells its JSON from a run's
 * @param steps with rising numbers of clients; several of the same number where it was measured again
 * @param fit the Universal Scalability Law's curve through the steps; null where they do not bear one
 * @param knee the fewest clients within 3% of the best throughput
 * @param withinLimit the most load that keeps the latency limit; null where none was asked for or none keeps it
 * @param verdict in words, a sentence each
 */
public record Scaling(
        int schema,
        String kind,
        Tool tool,
        Run run,
        Client client,
        List<Server> servers,
        Dataset dataset,
        List<Step> steps,
        @Nullable Fit fit,
        @Nullable Point knee,
        @Nullable Point peak,
        @Nullable Point withinLimit,
        @Nullable Double latencyLimitMicros,
        List<String> verdict,
        boolean valid,
        List<String> warnings)
        implements Finding {
    public static final int SCHEMA = 1;
    public static final String KIND = "scaling";

    /** The same with the command line that led to it. */
    public Scaling withArgv(List<String> argv) {
        return new Scaling(
                schema,
                kind,
                tool,
                run.withArgv(argv),
                client,
                servers,
                dataset,
                steps,
                fit,
                knee,
                peak,
                withinLimit,
                latencyLimitMicros,
                verdict,
                valid,
                warnings);
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
     * X(N) = lambda N / (1 + sigma (N - 1) + kappa N (N - 1)): Gunther, Guerrilla Capacity Planning, 2007.
     *
     * @param lambda operations per second of one client alone
     * @param sigma contention: the share that is done one after the other
     * @param kappa coherency: what each pair of clients costs
     */
    public record Fit(Coefficient lambda, Coefficient sigma, Coefficient kappa) {
        /** The curve's throughput with so many clients. */
        public double at(double clients) {
            return lambda.value * clients / (1 + sigma.value * (clients - 1) + kappa.value * clients * (clients - 1));
        }
    }

    /** A coefficient with its interval. */
    public record Coefficient(
            double value, @Nullable Double low, @Nullable Double high) {}
}
