package io.pgstress.verdict;

import io.pgstress.machine.MachineUse.QuotaUse;
import io.pgstress.machine.RunMachines;
import io.pgstress.measure.Phase;
import io.pgstress.result.Bottleneck;
import io.pgstress.result.Bottleneck.FilledByOthers;
import io.pgstress.result.GroupLimits;
import io.pgstress.result.Latency;
import io.pgstress.result.OperationResult;
import io.pgstress.result.Outage;
import io.pgstress.result.RateStep;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.result.Validity;
import io.pgstress.text.Records;
import io.pgstress.verdict.LoadChecks.LockWaits;
import io.pgstress.verdict.LoadChecks.SteadyState;
import io.pgstress.verdict.LoadChecks.Unserved;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Judges a run by its result, whether read from a file, merged or new. */
public final class Judge {
    /**
     * The share of the client's CPU time above which the JVM's compiler causes a warning. An automatic warm-up lasts until it uses
     * less.
     */
    public static final double MAX_COMPILER_SHARE = 0.02;

    /** A compiler that uses less than this part of a core delays nobody, whatever its share of the CPU time of a small load is. */
    public static final double MIN_COMPILER_CORE = 0.02;

    private static final double DEFAULT_MAX_ERROR_RATE = 0.01;

    private Judge() {}

    /** The result with the reasons and warnings that follow from its data added. */
    public static RunResult judged(RunResult result) {
        return judged(result, new Evidence());
    }

    /**
     * The result with the reasons and warnings that follow from its data and the evidence added. Unavailable servers, and machines that
     * others filled, come first, because much else follows from them; consequences of other findings come last.
     */
    public static RunResult judged(RunResult measured, Evidence evidence) {
        RunResult result = withKnee(measured, evidence);
        RunFigures run = new RunFigures(result);
        Remarks first = new Remarks();
        Availability.unavailable(result, distinct(result.remarks(), evidence.cautions), first);
        HostChecks hosts = new HostChecks(run);
        hosts.lost(first);
        Bottleneck.filledByOthers(result.serverProfile().machines())
                .ifPresent(filled -> new ClientChecks(first).others(filled, evidence.turns(run.ended())));
        Remarks found = new Remarks();
        before(evidence, found);
        new ClientChecks(found).busy(run, evidence);
        outcomes(run, evidence, found);
        OutcomeChecks.of(run.result(), found).silences(evidence, run.seconds(), run.result());
        evidence.failedChecks.forEach(found::add);
        new ClientChecks(found).machine(run, evidence);
        Remarks last = new Remarks();
        if (!hasOnlyFailed(result)) {
            Availability.idle(run, evidence.longTimes()::waitIn, last);
        }
        LockWaits.judge(result, last);
        SteadyState.judge(run, last);
        hosts.compare(last);
        hosts.own(distinct(result.remarks(), first.all(), found.all(), last.all()), last);
        List<Remark> reasons = distinct(first.reasons(), result.reasons(), found.reasons(), last.reasons());
        Validity all = Validity.of(reasons, List.of(), result.run().workload().accepted());
        List<Remark> binding = all.reasons();
        List<Remark> warnings =
                distinct(all.warnings(), first.warnings(), result.warnings(), found.warnings(), last.warnings());
        Consequences consequences = new Consequences(run, isClientFilledByOthers(result));
        return result.withRemarks(
                consequences.without(binding, binding), consequences.without(warnings, distinct(binding, warnings)));
    }

    private static RunResult withKnee(RunResult result, Evidence evidence) {
        List<RateStep> steps = result.load().open().rateSteps();
        return steps.isEmpty()
                ? result
                : result.with(Records.with(
                        result.load(),
                        "open",
                        Records.with(
                                result.load().open(),
                                "rateSteps",
                                RateSteps.withKnee(
                                        steps,
                                        unserved(new RunFigures(result), evidence)
                                                .stalls()))));
    }

    private static boolean isClientFilledByOthers(RunResult result) {
        return Bottleneck.filledByOthers(result.serverProfile().machines())
                .map(FilledByOthers::hasClient)
                .orElse(false);
    }

    /** Problems known before the measurement. */
    private static void before(Evidence evidence, Remarks found) {
        if (evidence.isEarlyEndValid) {
            found.add(RemarkCode.STOPPED_EARLY.with("why", evidence.earlyEnd).remark());
        } else if (!evidence.earlyEnd.isEmpty()) {
            found.add(RemarkCode.ENDED_EARLY.with("why", evidence.earlyEnd).remark());
        }
        evidence.cautions.forEach(found::add);
    }

    /** Checks of the operations' outcomes. */
    private static void outcomes(RunFigures run, Evidence evidence, Remarks found) {
        RunResult result = run.result();
        OutcomeChecks outcomes = OutcomeChecks.of(result, found);
        outcomes.operations(maxErrorRate(run), result.operations(), run.seconds() > 0);
        Map<String, Double> maxMisses = result.run().workload().maxMissShares();
        outcomes.emptyHanded(result.operations(), maxMisses, result.nodes());
        outcomes.belowTarget(run, maxErrorRate(run), maxMisses);
        LoadChecks load = new LoadChecks(found);
        load.connections(result);
        load.pauses(run.pauses(), run.ended(), run.clients());
        if (!run.measured().isEmpty()) {
            load.rate(
                    run.due(),
                    run.endedInTime(),
                    run.seconds(),
                    result.load().open().rateSteps(),
                    result.load().open().backlog(),
                    unserved(run, evidence));
        }
        new ClientChecks(found).standstills(evidence, run.seconds(), run.isClosed());
        ClientTurns turns = evidence.turns(run.ended());
        RunMachines machines = result.serverProfile().machines();
        boolean isSaid = turns != null
                && isClientFilledByOthers(result)
                && turns.areDominant(); // OTHERS_STARVED_CLIENT has them
        Optional<QuotaUse> quota = // each host has checked its own
                result.hosts().isEmpty() ? GroupLimits.usedUpByClient(machines) : Optional.empty();
        quota.ifPresent(used -> new ClientChecks(found).throttled(used, turns));
        if (turns != null && !isSaid && (quota.isEmpty() || turns.areDominant())) {
            new ClientChecks(found).turns(turns, evidence.host, Bottleneck.others(machines));
        }
        if (run.isClosed() && result.hosts().isEmpty()) { // each host has compared its own clients
            new ClientChecks(found).uneven(result);
        }
        load.warmup(evidence.warmupCut, run.result().run().seconds(Phase.WARMUP));
        outcomes.unfinished(run, evidence.hungClients);
        evidence.openLocks.forEach(found::add);
        LongTimes times = evidence.longTimes();
        List<Outage> outages = hasOnlyFailed(result) ? List.of() : Availability.unexplained(result);
        load.outages(outages, times::waitIn);
        Optional<Remark> longTimes = times.remark(
                !run.isClosed(), longestAcquire(result), result.load().outages(), outages);
        boolean isExplained = longTimes.isPresent()
                || evidence.longestStandstill(run.seconds()).isPresent()
                || LongTimes.isIn(result.warnings())
                || result.hosts().stream().anyMatch(host -> LongTimes.isIn(host.warnings()))
                || Consequences.haveStops(result.remarks());
        if (run.isClosed() && !isExplained && result.load().outages().stream().allMatch(Outage::silent)) {
            load.stalls(result.operations());
        }
        if (!run.measured().isEmpty()) {
            load.intervals(run.measured().size());
        }
        longTimes.ifPresent(found::add);
    }

    /** The stalls of a result that is judged again are unknown, except for outages. */
    private static Unserved unserved(RunFigures run, Evidence evidence) {
        double seconds = run.seconds();
        List<Outage> outages = Availability.outages(run.result()).stream()
                .filter(outage -> outage.node() == null)
                .toList();
        List<Outage> stalls = evidence.stalls();
        double outageAtEnd = Availability.secondsWithoutSuccessAtEnd(seconds, outages);
        boolean hasMore = Availability.secondsWithoutSuccess(seconds, stalls)
                > Availability.secondsWithoutSuccess(seconds, outages);
        return new Unserved(
                seconds,
                hasMore ? stalls : outages,
                Math.max(outageAtEnd, Availability.secondsWithoutSuccessAtEnd(seconds, stalls)),
                outageAtEnd > 0);
    }

    /** Whether all operations were answered by errors or found nothing, which says more than that none succeeded for a time. */
    private static boolean hasOnlyFailed(RunResult result) {
        OperationResult total = result.total();
        return total.ok() == 0 && total.okInWindow() == 0 && total.failed() + total.misses() + total.duplicates() > 0;
    }

    /** The longest wait for a connection of a pool, in seconds. */
    private static double longestAcquire(RunResult result) {
        Latency acquire = result.total().latencyMicros().get("acquire");
        return acquire == null ? 0 : acquire.max() / 1e6;
    }

    private static double maxErrorRate(RunFigures run) {
        return Objects.requireNonNullElse(run.result().run().workload().maxErrorShare(), DEFAULT_MAX_ERROR_RATE);
    }

    @SafeVarargs
    private static List<Remark> distinct(List<Remark>... parts) {
        Set<Remark> all = new LinkedHashSet<>();
        for (List<Remark> part : parts) {
            all.addAll(part);
        }
        return new ArrayList<>(all);
    }
}
