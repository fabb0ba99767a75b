package io.pgstress.verdict;

import io.pgstress.machine.MachineUse.QuotaUse;
import io.pgstress.machine.RunMachines;
import io.pgstress.result.Bottleneck;
import io.pgstress.result.Bottleneck.FilledByOthers;
import io.pgstress.result.ClientInfo;
import io.pgstress.result.Latency;
import io.pgstress.result.NodeResult;
import io.pgstress.result.OperationResult;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.result.Workload.Think;
import io.pgstress.verdict.Evidence.Host;
import io.pgstress.verdict.LoadChecks.SteadyState;
import io.pgstress.verdict.LongTimes.Suspect;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks whether the client and its machine affected the figures. Not thread-safe. */
final class ClientChecks {
    /** The first JDK whose start-up cache has profiles of methods (JEP 515). */
    private static final int FIRST_WITH_CACHE = 25;

    private static final double MAX_CPU = 0.7;
    private static final double MAX_GC = 0.01;
    private static final double MIN_IDLE = 0.05;

    /** Client and server hardly ever wait for each other's cores on a machine that is less busy. */
    private static final double MIN_COMPETITION = 0.5;

    private static final double LATE_READING = 0.05;
    private static final double LATE_READING_SECONDS = 0.25;
    private static final double MAX_OTHERS = 0.2;
    private static final double MAX_STANDSTILL = 0.1;
    private static final double MIN_STANDSTILL_SECONDS = 1;

    /** A rate that is lower by less is not exact to that anyway. */
    private static final double MIN_LOWER_PERCENT = 1;

    private static final double CLOCK_SECONDS = 0.1;
    private static final double CLOCK_SHARE = 0.01;

    /** Differences between clients below this share of their mean are ignored. */
    private static final double MAX_UNEVEN = 0.1;

    /** Probability of a warning about clients that differ only by chance. */
    private static final double CHANCE = 0.001;

    private final Remarks remarks;

    ClientChecks(Remarks remarks) {
        this.remarks = remarks;
    }

    /** Checks that the client was read in time and was always busy with operations. */
    void busy(RunFigures run, Evidence evidence) {
        if (evidence.clocks != null) {
            readings(evidence.clocks.readSeconds(), run.seconds());
            clock(evidence.clocks.wallAheadSeconds(), run.seconds());
        }
        if (evidence.littlesLaw != null) {
            boolean haveFailed = run.result().operations().values().stream().anyMatch(o -> o.failed() > 0);
            busy(evidence.littlesLaw, haveFailed);
        }
    }

    /** Checks that the client's machine was large enough. */
    void machine(RunFigures run, Evidence evidence) {
        ClientInfo client = run.result().client();
        boolean isOneProcess = run.result().hosts().isEmpty(); // each host has checked its own
        double collecting = isOneProcess && run.seconds() > 0 ? client.gcPauseSeconds() / run.seconds() : 0;
        if (isOneProcess && client.compilerSeconds() != null && !SteadyState.isKnownNotToRise(run)) {
            compiler(
                    client.compilerSeconds(),
                    client.cpuCoresUsed() * run.seconds(),
                    run.seconds(),
                    Boolean.TRUE.equals(client.startUpCache()));
        }
        RunMachines machines = run.result().serverProfile().machines();
        boolean isOthers = Bottleneck.filledByOthers(machines)
                .map(FilledByOthers::hasClient)
                .orElse(false);
        Host host = evidence.host == null || isOthers ? new Host(-1, false) : evidence.host;
        machine(
                client.cpuCoresUsed(),
                client.cpus(),
                evidence.turns(run.ended()),
                collecting,
                host,
                Bottleneck.others(machines),
                Bottleneck.clientFilledByRest(machines)
                        .map(FilledByOthers::percent)
                        .orElse(null));
    }

    /**
     * Processes that are neither the server nor the client explain what else is said about a machine that they filled: waits in the client
     * are part of the same remark.
     */
    void others(FilledByOthers filled, @Nullable ClientTurns turns) {
        if (filled.hasClient() && turns != null && turns.areDominant()) {
            remarks.add(RemarkCode.OTHERS_STARVED_CLIENT
                    .with("machine", filled.machine())
                    .with("percent", filled.percent())
                    .with("ownMillis", turns.ownMicros() / 1e3)
                    .with("meanMillis", turns.meanMicros() / 1e3)
                    .remark());
        } else {
            remarks.add(RemarkCode.OTHERS_FILLED_MACHINE
                    .with("machine", filled.machine())
                    .with("percent", filled.percent())
                    .remark());
        }
    }

    /**
     * @param cores cores used by the client, of {@code cpus}
     * @param collecting the collector's share of the time, 0 to 1
     * @param turns whether its threads waited for cores
     * @param others the part of the machine's CPUs that others than client and server used, 0 to 1; below 0: unknown
     * @param restPercent what other processes than the client's used of its full machine; null: not much, or unknown
     */
    void machine(
            double cores,
            int cpus,
            @Nullable ClientTurns turns,
            double collecting,
            Host host,
            double others,
            @Nullable Double restPercent) {
        if (cores > MAX_CPU * cpus) {
            remarks.add(RemarkCode.CLIENT_CPU
                    .with("cores", cores)
                    .with("cpus", cpus)
                    .remark());
        }
        if (collecting > MAX_GC) {
            remarks.add(RemarkCode.CLIENT_COLLECTOR
                    .with("percent", 100 * collecting)
                    .remark());
        }
        boolean isBusy = isFull(host.busy());
        if (turns != null && turns.areNotable() && isFullyShared(host) && areFew(others)) {
            remarks.add(turns.remark(RemarkCode.SHARED_HOST_WAITS));
        } else if (host.isShared() && (host.busy() < 0 || host.busy() >= MIN_COMPETITION)) {
            remarks.add((isBusy ? RemarkCode.SHARED_HOST_FULL : RemarkCode.SHARED_HOST).remark());
        } else if (isBusy && restPercent != null) {
            remarks.add(
                    RemarkCode.CLIENT_HOST_FILLED.with("percent", restPercent).remark());
        } else if (isBusy) {
            remarks.add(RemarkCode.CLIENT_HOST_FULL.remark());
        }
    }

    private static boolean isFullyShared(Host host) {
        return host.isShared() && isFull(host.busy());
    }

    /** Whether client and server have their machine to themselves; also false if that is unknown. */
    private static boolean areFew(double others) {
        return others >= 0 && others < MAX_OTHERS;
    }

    private static boolean isFull(double busy) {
        return busy > 1 - MIN_IDLE;
    }

    /**
     * Code that is not compiled yet is slow, and its compiler takes CPU time from the clients. To be checked unless throughput shows
     * that this made no difference: on a slow machine the compiler is at work for minutes.
     *
     * @param compiled CPU time of the JVM's compiler within the measurement, in seconds
     * @param used CPU time of the client within the measurement, in seconds
     * @param seconds length of the measurement
     * @param hasCache whether the JVM uses the start-up cache, with which it compiles less
     */
    void compiler(double compiled, double used, double seconds, boolean hasCache) {
        if (used > 0 && compiled > Math.max(Judge.MAX_COMPILER_SHARE * used, Judge.MIN_COMPILER_CORE * seconds)) {
            remarks.add(RemarkCode.CLIENT_COMPILER
                    .with("compilerSeconds", compiled)
                    .with("clientSeconds", used)
                    .with("jdk", hasCache ? null : FIRST_WITH_CACHE)
                    .remark());
        }
    }

    /**
     * CPU and traffic are read at the start and end of the measurement; late readings cover a different period.
     *
     * @param read seconds between the readings
     * @param measured duration of the measurement in seconds
     */
    void readings(double read, double measured) {
        double off = Math.abs(read - measured);
        if (off > Math.max(LATE_READING_SECONDS, LATE_READING * measured)) {
            remarks.add(RemarkCode.LATE_READINGS
                    .with("readSeconds", read)
                    .with("measuredSeconds", measured)
                    .remark());
        }
    }

    /**
     * Latencies include the client's own waiting. If client and server have a full machine to themselves, cores given to one are taken
     * from the other, and the waits are part of the {@linkplain #machine warning about that}. If others may fill it, this is unknown, and
     * the waits are a warning at most. If the CPUs that the client may use are mostly idle, they are the time in which threads wake up.
     *
     * @param others the part of the machine's CPUs that others than client and server used, 0 to 1; below 0: unknown
     */
    void turns(ClientTurns turns, @Nullable Host host, double others) {
        boolean isFullyShared = host != null && isFullyShared(host);
        if (turns.areNotable() && !(isFullyShared && areFew(others))) {
            boolean isExcused = isFullyShared && others < 0;
            boolean isIdle = host != null && host.usableBusy() >= 0 && host.usableBusy() < MIN_COMPETITION;
            remarks.add(turns.remark(
                    turns.areDominant() && !isExcused
                            ? RemarkCode.CLIENT_STARVED
                            : isIdle ? RemarkCode.CLIENT_WAKES : RemarkCode.CLIENT_WAITS));
        }
    }

    /**
     * A client that used up its CPU quota stands still on an idle machine. If the waits are worth a warning, the quota is their cause.
     *
     * @param turns null: unknown
     */
    void throttled(QuotaUse quota, @Nullable ClientTurns turns) {
        ClientTurns notable = turns != null && turns.areNotable() ? turns : null;
        remarks.add(RemarkCode.CLIENT_THROTTLED
                .with("cores", quota.cores())
                .with("percent", 100 * quota.throttled())
                .with("ownMillis", notable == null ? null : notable.ownMicros() / 1e3)
                .with("meanMillis", notable == null ? null : notable.meanMicros() / 1e3)
                .remark());
    }

    /**
     * A client that does not run measures the time of its own stop. In a closed loop, it also counts no operation meanwhile, so that the rate
     * is lower by the same share.
     */
    void standstills(Evidence evidence, double measured, boolean isClosed) {
        double all = evidence.standstill(measured);
        Optional<Suspect> longest = evidence.longestStandstill(measured);
        if (longest.isEmpty()) {
            return;
        }
        double from = Math.max(0, longest.get().from());
        double seconds = longest.get().within(0, measured);
        if (all >= MIN_STANDSTILL_SECONDS && all >= MAX_STANDSTILL * measured) {
            remarks.add(RemarkCode.CLIENT_STOOD_STILL_LONG
                    .with("seconds", all)
                    .with("percent", 100 * all / measured)
                    .with("longest", seconds)
                    .with("fromSeconds", from)
                    .remark());
        } else {
            double percent = 100 * all / measured;
            remarks.add(RemarkCode.CLIENT_STOOD_STILL
                    .with("seconds", all)
                    .with("percent", isClosed && percent >= MIN_LOWER_PERCENT ? percent : null)
                    .with("longest", seconds)
                    .with("fromSeconds", from)
                    .remark());
        }
    }

    /**
     * Clients that do the same work in a closed loop should do equally much of it. If their operations take independent times, the
     * number within a period varies by {@code variation / sqrt(mean)}, as in a renewal process (Cox, "Renewal Theory", 1962); mixes of
     * operations are included, and so are the pauses between operations ({@code --think}). With probability 1 - {@value #CHANCE}, none of n clients is farther from the mean than {@code sqrt(2 ln(2
     * n / CHANCE))} of these deviations. One operation more or less is due to where the measurement begins and ends. Clients after an error waited before they continued, so they are not compared.
     */
    void uneven(RunResult result) {
        OperationResult all = result.total();
        Latency total = all.latencyMicros().get("total");
        if (total == null || total.histogram() == null || all.failed() > 0) {
            return;
        }
        double variation = ofCycle(total, result.run().workload().think());
        for (NodeResult node : result.nodes()) {
            NodeResult.ClientOperations each = node.clientOperations();
            if (each == null || each.mean() == 0) {
                continue;
            }
            double chance = variation / Math.sqrt(each.mean()) * Math.sqrt(2 * Math.log(2 * each.clients() / CHANCE));
            double farthest = (Math.max(each.max() - each.mean(), each.mean() - each.min()) - 1) / each.mean();
            if (each.max() - each.min() - 1 > MAX_UNEVEN * each.mean() && farthest > chance) {
                remarks.add(RemarkCode.UNEVEN_CLIENTS
                        .with("node", result.nodes().size() > 1 ? node.url() : null)
                        .with("least", each.min())
                        .with("most", each.max())
                        .with("mean", each.mean())
                        .remark());
            }
        }
    }

    /** The standard deviation of the time from the start of an operation to that of the next one, divided by its mean. */
    private static double ofCycle(Latency total, @Nullable Think think) {
        double deviation = total.decoded().variation() * total.mean();
        double pause = think == null ? 0 : think.micros();
        double deviationOfPause = think != null && think.exponential() ? pause : 0;
        return Math.hypot(deviation, deviationOfPause) / (total.mean() + pause);
    }

    /**
     * Rate and latency of a closed loop without pauses must agree.
     *
     * @param haveFailed whether operations failed, after which clients may have waited
     */
    void busy(LittlesLaw law, boolean haveFailed) {
        Optional<Remark> violation = haveFailed ? law.excess() : law.violation();
        if (violation.isPresent()) {
            remarks.add(violation.get());
        } else {
            law.shortWindow().ifPresent(remarks::add);
        }
    }

    /** @param ahead seconds by which the wall clock advanced more than the monotonic clock during the measurement */
    void clock(double ahead, double measured) {
        if (Math.abs(ahead) > Math.max(CLOCK_SECONDS, CLOCK_SHARE * measured)) {
            remarks.add(RemarkCode.WALL_CLOCK.with("seconds", ahead).remark());
        }
    }
}
