package io.pgstress.plan;

import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.server.ServerRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One run, checked and immutable: see {@link RunSpecReader}.
 *
 * @param endpoints the servers; empty: the embedded server
 * @param table the table under load; empty: the operations use their own tables, or the sample data's table is used
 * @param load how operations are started
 * @param phases the parts of the run
 * @param options the values of all options, given or default
 */
public record RunSpec(List<Endpoint> endpoints, Optional<TableName> table, Load load, Phases phases, Options options) {
    public RunSpec {
        endpoints = List.copyOf(endpoints);
    }

    /** The value of an option of the run, or of one of its operations. */
    public <T> T get(Option<T> option) {
        return options.get(option);
    }

    /** The operations with their weights, at least one. */
    public List<WeightedOperation> mix() {
        return get(RunOptions.OP);
    }

    /** The mix as on the command line: {@code find_first} or {@code find_first:3,find_update:1}. */
    public String mixLabel() {
        List<WeightedOperation> mix = mix();
        return mix.size() == 1
                ? mix.get(0).name()
                : mix.stream().map(o -> o.name() + ":" + o.weight()).collect(Collectors.joining(","));
    }

    public StatementMode statement() {
        return get(RunOptions.STATEMENT);
    }

    public PoolSpec pool() {
        return new PoolSpec(
                get(RunOptions.POOL),
                get(RunOptions.POOL_SIZE),
                get(RunOptions.CONNECT).equals(PoolSpec.PER_TRANSACTION));
    }

    /** The server to start if the run names none. */
    public ServerRequest server() {
        return new ServerRequest(
                get(RunOptions.START_SERVER).orElse(""),
                get(RunOptions.SERVER_SET),
                get(RunOptions.DUMP).map(Path::toString).orElse(""));
    }

    public ClientThreads clientThreads() {
        return get(RunLoadOptions.CLIENT_THREADS);
    }

    public long seed() {
        return get(RunOptions.SEED);
    }

    public Failures failures() {
        return new Failures(
                get(RunOptions.MAX_TRIES),
                get(RunOptions.ON_ERROR).equals("stop"),
                get(RunOptions.MAX_ERROR_RATE),
                get(RunOptions.STATEMENT_TIMEOUT),
                get(RunOptions.LATENCY_LIMIT));
    }

    /** Server settings sent as startup options, in the order given. */
    public Map<String, String> settings() {
        return get(RunOptions.SET);
    }

    /** Server settings changed by ALTER SYSTEM during the run, in the order given. */
    public Map<String, String> alterSystem() {
        return get(RunOptions.ALTER_SYSTEM);
    }

    /** Whether clients connect to all nodes of the cluster that accept statements, as listed by the first endpoint. */
    public boolean allCoordinators() {
        return get(RunOptions.COORDINATORS).equals("all");
    }

    /** A copy with these servers. */
    public RunSpec withEndpoints(List<Endpoint> others) {
        return new RunSpec(others, table, load, phases, options);
    }

    /** A copy with this table. */
    public RunSpec withTable(TableName other) {
        return new RunSpec(endpoints, Optional.of(other), load, phases, options);
    }

    /** A copy with this number of clients. */
    public RunSpec withClients(int clients) {
        return with(options.with(RunLoadOptions.CLIENTS, Integer.toString(clients)));
    }

    /** A copy on another server that is started, the cluster of this number, from 1, of the same build. */
    public RunSpec withCluster(int number) {
        return number == 1
                ? this
                : with(options.with(RunOptions.START_SERVER, ServerRequest.cluster(server().build(), number)));
    }

    /** A copy with an open loop at this rate, measured for this long, whose arrivals are those of another seed. */
    public RunSpec withRate(double rate, Duration measure, long seed) {
        return with(options.with(RunLoadOptions.RATE, Double.toString(rate))
                .with(RunLoadOptions.DURATION, measure.toMillis() + "ms")
                .with(RunOptions.SEED, Long.toString(seed)));
    }

    /** A copy with a closed loop and an automatic warm-up, measured for this long. */
    public RunSpec withClosedLoop(Duration measure) {
        return with(options.with(RunLoadOptions.RATE, "")
                .with(RunLoadOptions.WARMUP, "auto")
                .with(RunLoadOptions.DURATION, measure.toMillis() + "ms"));
    }

    private RunSpec with(Options others) {
        return new RunSpec(endpoints, table, LoadReader.load(others), LoadReader.phases(others), others);
    }

    /**
     * How a run handles failed and slow operations.
     *
     * @param maxTries maximum number of tries of an operation that fails with 40001 or 40P01, at least 1
     * @param stopOnError whether the run ends at the first error
     * @param maxErrorRate share of failed operations, 0 to 1, above which the run exceeds its limit; 1: no limit
     * @param statementTimeout {@code statement_timeout} of the sessions; zero: the server's setting
     * @param latencyLimit operations that take longer are counted as late; zero: no limit
     */
    public record Failures(
            int maxTries, boolean stopOnError, double maxErrorRate, Duration statementTimeout, Duration latencyLimit) {}
}
