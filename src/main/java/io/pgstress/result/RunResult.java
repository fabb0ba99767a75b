package io.pgstress.result;

import io.pgstress.text.Inline;
import io.pgstress.text.Records;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The complete result of a run. All reports are created from it, and its JSON uses the names of the components (schema 1, see
 * {@code docs/result-format.md}). Units are part of the names. Unavailable values are null and omitted.
 *
 * @param limits the requested limits, and whether they are broken; independent of validity
 */
public record RunResult(
        @Inline Header header,
        @Inline LoadResult load,
        ServerProfile serverProfile,
        @Inline Validity validity,
        List<LimitCheck> limits)
        implements Result {
    public static final int SCHEMA = 1;

    public Map<String, OperationResult> operations() {
        return load.operations();
    }

    public List<NodeResult> nodes() {
        return load.nodes();
    }

    public List<IntervalResult> intervals() {
        return load.intervals();
    }

    /** This run of one load generator host as a row among several. */
    public HostResult asHost(String name) {
        OperationResult all = total();
        return new HostResult(
                name,
                clients(),
                all.okInWindow(),
                all.failed(),
                all.opsPerSecond(),
                headline(all),
                client(),
                load().network(),
                null,
                null,
                null,
                valid(),
                reasons(),
                warnings());
    }

    public List<HostResult> hosts() {
        return load.hosts();
    }

    /** The sum of all operations. */
    public OperationResult total() {
        return OperationResult.sum(operations().values());
    }

    /** The measurement, and the successful operations that ended within it. */
    public Connecting.Window window() {
        return new Connecting.Window(
                run().measuredSeconds(),
                operations().values().stream()
                        .mapToLong(OperationResult::okInWindow)
                        .sum());
    }

    /** The number of clients on all nodes; the requested one if the nodes have none. */
    public int clients() {
        int clients = nodes().stream().mapToInt(NodeResult::clients).sum();
        return clients > 0 ? clients : run().workload().clients();
    }

    /** How evenly the clients of all nodes worked; null if unknown. */
    public NodeResult.@Nullable ClientOperations clientOperations() {
        return Sum.known(nodes().stream().map(NodeResult::clientOperations));
    }

    /** The mix as on the command line, or the names of the operations. */
    public String mix() {
        String mix = run().workload().mix();
        return mix.isEmpty() ? String.join(",", operations().keySet()) : mix;
    }

    /** The headline latency of an operation of this run; null if there is none. */
    public @Nullable Latency headline(OperationResult operation) {
        return operation.latencyMicros().get(run().workload().headline());
    }

    /** A copy with another header. */
    public RunResult with(Header other) {
        return new RunResult(other, load, serverProfile, validity, limits);
    }

    /** A copy with this command line. */
    public RunResult withArgv(List<String> argv) {
        return with(header.with(Records.with(run(), "argv", argv)));
    }

    @Override
    public boolean exceedsLimit() {
        return limits.stream().anyMatch(LimitCheck::broken);
    }

    /** A copy with another load. */
    public RunResult with(LoadResult other) {
        return new RunResult(header, other, serverProfile, validity, limits);
    }

    /** A copy with other intervals of the measurement, and none of the warm-up. */
    public RunResult withIntervals(List<IntervalResult> others) {
        return with(load.withIntervals(others, List.of()));
    }

    /** A copy with other reasons and warnings; valid if there is no reason. */
    public RunResult withRemarks(List<Remark> reasons, List<Remark> warnings) {
        return new RunResult(header, load, serverProfile, new Validity(reasons.isEmpty(), reasons, warnings), limits);
    }

    /** A copy with these checked limits. */
    public RunResult withLimits(List<LimitCheck> checks) {
        return new RunResult(header, load, serverProfile, validity, List.copyOf(checks));
    }

    /**
     * A limit, and whether the measured value breaks it.
     *
     * @param limit such as {@code p99>5ms}
     * @param words such as {@code p99 was 7.31 ms}; empty before the end of the run
     * @param micros the limit of a time; null of others
     * @param opsPerSecond the limit of the rate; null of others
     */
    public record LimitCheck(
            String limit,
            boolean broken,
            String words,
            @Nullable Double micros,
            @Nullable Double opsPerSecond) {}
}
