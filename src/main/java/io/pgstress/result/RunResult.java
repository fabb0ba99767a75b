package io.pgstress.result;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * All that a run found: every report is made of it, and its JSON is the components' names (schema 1, see
 * {@code docs/result-format.md}). Units are in the names. What could not be had is null and left out.
 *
 * @param operations by name, in the order of the mix; sums over all nodes
 * @param outages the times in which nothing succeeded
 * @param scheduleLagMicros how late operations started; only an open load has it
 * @param rateSteps the steps of an open load's target rate, in order; empty in a closed load
 * @param backlog intended starts that were due and not begun at the end of the measurement; only an open load has it
 * @param droppedFromWarmup intended starts that the warm-up left undone and that were dropped; only an open load has it
 * @param halts when the ids were used up, how often and how long all clients stood still for a reset
 * @param network what the client's own sockets carried during the measurement
 * @param valid whether a reader may use the figures
 * @param reasons why a result is not valid, the gravest first; empty where it is valid
 * @param warnings what else to know
 * @param limits the limits that were asked for, and whether the figures keep them; validity is another matter
 */
public record RunResult(
        int schema,
        Tool tool,
        Run run,
        Client client,
        List<Server> servers,
        Dataset dataset,
        Map<String, OperationResult> operations,
        List<Outage> outages,
        List<RateStep> rateSteps,
        @Nullable Latency scheduleLagMicros,
        @Nullable Long backlog,
        @Nullable Long droppedFromWarmup,
        Halts halts,
        ServerProfile serverProfile,
        List<NodeResult> nodes,
        List<IntervalResult> intervals,
        Network network,
        boolean valid,
        List<String> reasons,
        List<String> warnings,
        List<LimitCheck> limits)
        implements Result {
    public static final int SCHEMA = 1;

    public RunResult {
        rateSteps = Objects.requireNonNullElse(rateSteps, List.of()); // results of before there were any
        reasons = Objects.requireNonNullElse(reasons, List.of());
        limits = Objects.requireNonNullElse(limits, List.of());
    }

    /** A result that no limits were asked of. */
    public RunResult(
            int schema,
            Tool tool,
            Run run,
            Client client,
            List<Server> servers,
            Dataset dataset,
            Map<String, OperationResult> operations,
            List<Outage> outages,
            List<RateStep> rateSteps,
            @Nullable Latency scheduleLagMicros,
            @Nullable Long backlog,
            @Nullable Long droppedFromWarmup,
            Halts halts,
            ServerProfile serverProfile,
            List<NodeResult> nodes,
            List<IntervalResult> intervals,
            Network network,
            boolean valid,
            List<String> reasons,
            List<String> warnings) {
        this(
                schema,
                tool,
                run,
                client,
                servers,
                dataset,
                operations,
                outages,
                rateSteps,
                scheduleLagMicros,
                backlog,
                droppedFromWarmup,
                halts,
                serverProfile,
                nodes,
                intervals,
                network,
                valid,
                reasons,
                warnings,
                List.of());
    }

    /** The same with the command line that led to it. */
    public RunResult withArgv(List<String> argv) {
        return with(run.withArgv(argv), servers, intervals, limits);
    }

    /** The same with the limits that it was held against. */
    public RunResult withLimits(List<LimitCheck> checks) {
        return with(run, servers, intervals, List.copyOf(checks));
    }

    /** The same with other reasons and warnings; valid where there is no reason. */
    public RunResult withRemarks(List<String> otherReasons, List<String> otherWarnings) {
        return new RunResult(
                schema,
                tool,
                run,
                client,
                servers,
                dataset,
                operations,
                outages,
                rateSteps,
                scheduleLagMicros,
                backlog,
                droppedFromWarmup,
                halts,
                serverProfile,
                nodes,
                intervals,
                network,
                otherReasons.isEmpty(),
                otherReasons,
                otherWarnings,
                limits);
    }

    /** The same with other intervals. */
    public RunResult withIntervals(List<IntervalResult> others) {
        return with(servers, others);
    }

    /** The same with other servers, and without intervals. */
    public RunResult briefly(List<Server> others) {
        return with(others, List.of());
    }

    /** The same as a part of what began at another time. */
    public RunResult startedAt(String start) {
        Run begun = new Run(run.id, start, run.argv, run.seed, run.scenario, run.phases, run.partial);
        return with(begun, servers, intervals);
    }

    private RunResult with(List<Server> otherServers, List<IntervalResult> otherIntervals) {
        return with(run, otherServers, otherIntervals);
    }

    private RunResult with(Run otherRun, List<Server> otherServers, List<IntervalResult> otherIntervals) {
        return with(otherRun, otherServers, otherIntervals, limits);
    }

    private RunResult with(
            Run otherRun,
            List<Server> otherServers,
            List<IntervalResult> otherIntervals,
            List<LimitCheck> otherLimits) {
        return new RunResult(
                schema,
                tool,
                otherRun,
                client,
                otherServers,
                dataset,
                operations,
                outages,
                rateSteps,
                scheduleLagMicros,
                backlog,
                droppedFromWarmup,
                halts,
                serverProfile,
                nodes,
                otherIntervals,
                network,
                valid,
                reasons,
                warnings,
                otherLimits);
    }

    /** The program that measured. */
    public record Tool(String version, String commit, String driver) {}

    /**
     * What was asked for and how it went.
     *
     * @param argv the command line, secrets masked
     * @param scenario every option, as given or by default
     * @param phases as they really were
     * @param partial whether it ended before its time (interrupted, used up, first error)
     */
    public record Run(
            String id,
            String startedAt,
            List<String> argv,
            long seed,
            Map<String, Object> scenario,
            List<PhaseLength> phases,
            boolean partial) {
        Run withArgv(List<String> other) {
            return new Run(id, startedAt, other, seed, scenario, phases, partial);
        }
    }

    /** How long a phase lasted. */
    public record PhaseLength(String name, double seconds) {}

    /**
     * The machine of the load tester.
     *
     * @param threadKind {@code platform} or {@code virtual}
     * @param pool the pool's settings, as they were in force
     * @param cpuCoresUsed cores' worth of CPU time used by this process while measuring
     * @param cpuMicrosPerOperation CPU time of this process per operation
     * @param gcPauseSeconds time in which the collector had stopped everything, while measuring
     * @param ownTurnShare share of the operations (0 to 1) whose client had its answer and waited for its own turn to run; null
     *     where it is unknown
     */
    public record Client(
            String jvm,
            String os,
            int cpus,
            String threadKind,
            Map<String, String> pool,
            double cpuCoresUsed,
            double cpuMicrosPerOperation,
            double gcPauseSeconds,
            @Nullable Double loadAverage,
            @Nullable Long residentBytes,
            @Nullable Double ownTurnShare) {}

    /**
     * A server as it was found.
     *
     * @param kind the dialect
     * @param settings those that differ from the server's defaults, and those that were asked for, as they were in force
     * @param transferFormat {@code text} or {@code binary}, of the data column
     */
    public record Server(
            String url,
            String role,
            String version,
            String kind,
            Map<String, String> settings,
            String transferFormat,
            @Nullable Double loadAverage) {}

    /**
     * The table under load.
     *
     * @param rowsAfter -1 where the server did not answer after the run
     * @param idsDrawnFrom how many ids were kept to draw from
     * @param afterwards what operations with tables of their own found in them after the run
     */
    public record Dataset(
            String table,
            String keyType,
            long rowsBefore,
            long rowsAfter,
            @Nullable Long bytes,
            long idsDrawnFrom,
            List<String> afterwards) {
        public Dataset {
            afterwards = Objects.requireNonNullElse(afterwards, List.of());
        }
    }

    /**
     * A time without a success, from the last one before to the first one after; or one in which a server of the cluster that no
     * client connects to did not answer its checks, which is known to some seconds. In seconds since the start of the measurement.
     *
     * @param node null where it is all of them
     * @param silent whether it is known by the checks only; {@code node} is the server's name in the cluster then
     * @param operationsLost successes that the rate before it would have brought and that were missing, estimated; null where
     *     unknown
     * @param fullRateAtSeconds when the rate was back at its level of before; null where it never was, or is unknown
     * @param silentServers the servers of the cluster that did not answer their checks meanwhile
     */
    public record Outage(
            double fromSeconds,
            double toSeconds,
            @Nullable String node,
            boolean silent,
            @Nullable Long operationsLost,
            @Nullable Double fullRateAtSeconds,
            List<String> silentServers) {
        public Outage {
            silentServers = Objects.requireNonNullElse(silentServers, List.of()); // results of before there were any
        }

        /** One in which no server is known to have been silent. */
        public Outage(
                double fromSeconds,
                double toSeconds,
                @Nullable String node,
                boolean silent,
                @Nullable Long operationsLost,
                @Nullable Double fullRateAtSeconds) {
            this(fromSeconds, toSeconds, node, silent, operationsLost, fullRateAtSeconds, List.of());
        }

        /** One of which only the times are known. */
        public Outage(double fromSeconds, double toSeconds, @Nullable String node, boolean silent) {
            this(fromSeconds, toSeconds, node, silent, null, null);
        }

        /** The same with who was silent in it. */
        public Outage withSilentServers(List<String> servers) {
            return new Outage(
                    fromSeconds, toSeconds, node, silent, operationsLost, fullRateAtSeconds, List.copyOf(servers));
        }

        /** A time without a success. */
        public Outage(double fromSeconds, double toSeconds, @Nullable String node) {
            this(fromSeconds, toSeconds, node, false);
        }
    }

    /**
     * One step of an open load's target rate; times are response times.
     *
     * @param fromSeconds its start since the start of the measurement
     * @param seconds its length within the measurement
     * @param targetRate operations per second that were due
     * @param opsPerSecond operations that succeeded within it, per second
     * @param responseMicros of the operations that ended within it; null where none did
     * @param backlog intended starts that were due and not begun at its end
     * @param knee whether it is the last step that kept up before the first that did not
     */
    public record RateStep(
            double fromSeconds,
            double seconds,
            double targetRate,
            double opsPerSecond,
            @Nullable Latency responseMicros,
            long backlog,
            boolean knee) {}

    /** The client's sockets, cancel requests left out; under TLS ciphertext. */
    public record Network(double inMbitPerSecond, double outMbitPerSecond, long bytesIn, long bytesOut) {}

    /**
     * All clients standing still for a reset; in no other figure.
     *
     * @param atSeconds where in the measurement's time, which stood still meanwhile, the first thousand of them were
     */
    public record Halts(int count, double seconds, List<Double> atSeconds) {
        public Halts {
            atSeconds = Objects.requireNonNullElse(atSeconds, List.of()); // results of before there was one
        }
    }

    /** The share of one node. */
    public record NodeResult(
            String url,
            int clients,
            Map<String, OperationResult> operations,
            @Nullable Network network) {}

    /**
     * A limit and what was measured.
     *
     * @param limit such as {@code p99>5ms}
     * @param words such as {@code p99 was 7.31 ms}
     */
    public record LimitCheck(String limit, boolean broken, String words) {}
}
