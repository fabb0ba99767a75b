package io.pgstress.verdict;

import io.pgstress.result.Latency;
import io.pgstress.result.OperationResult;
import io.pgstress.result.OperationResult.StatementResult;
import io.pgstress.result.Outage;
import io.pgstress.result.RateStep;
import io.pgstress.result.RemarkCode;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Checks whether the load was the requested one, and steady. Not thread-safe. */
final class LoadChecks {
    private static final double MIN_BEGUN = RunFigures.MIN_BEGUN;
    private static final int FEW_BETWEEN_PAUSES = 10;
    private static final double STALL_SECONDS = 0.5;
    private static final double STALL_MEDIANS = 100;
    private static final int MIN_INTERVALS = 3;

    private final Remarks remarks;

    LoadChecks(Remarks remarks) {
        this.remarks = remarks;
    }

    /**
     * An open load must start what is due, whatever happens. Several rates are a search for the highest sustainable one:
     * falling behind in a later step is then expected.
     *
     * @param due operations due within the measurement
     * @param ended operations with any outcome that ended within it
     * @param seconds duration of the measurement
     * @param steps steps of the target rate
     * @param backlog operations due but not started at its end; null in a closed load
     */
    void rate(long due, long ended, double seconds, List<RateStep> steps, @Nullable Long backlog) {
        if (backlog == null || due == 0 || seconds == 0) {
            return;
        }
        if (RunFigures.keptUp(due, backlog)) {
            if (due - ended > 1 && ended < MIN_BEGUN * due) {
                remarks.add(RemarkCode.IN_FLIGHT, ended, due);
            }
            return;
        }
        RateStep knee = steps.stream().filter(RateStep::knee).findFirst().orElse(null);
        if (knee == null) {
            remarks.add(RemarkCode.OVERLOAD, ended / seconds, due / seconds, backlog / seconds, backlog);
        } else {
            remarks.add(
                    RemarkCode.OVERLOAD_IN_STEPS,
                    ended / seconds,
                    due / seconds,
                    backlog / seconds,
                    backlog,
                    knee.targetRate());
        }
    }

    /**
     * @param pauses number of pauses of all clients in which ids were made available again
     * @param operations number of operations that ended, with any outcome
     */
    void pauses(int pauses, long operations, int clients) {
        if (pauses > 0 && operations < (long) FEW_BETWEEN_PAUSES * clients * pauses) {
            remarks.add(RemarkCode.IDS_USED_UP_OFTEN, operations / pauses, clients);
        }
    }

    /** @param cut what the warm-up had not reached at its limit; empty if it was complete */
    void warmup(String cut, double seconds) {
        if (!cut.isEmpty()) {
            remarks.add(RemarkCode.WARMUP_CUT, cut, seconds);
        }
    }

    /** Reports periods without a success. */
    void outages(List<Outage> outages) {
        for (Outage outage : outages) {
            if (!outage.silent()) {
                remarks.add(
                        RemarkCode.OUTAGE,
                        outage.node() == null ? "" : " on " + outage.node(),
                        outage.fromSeconds(),
                        outage.toSeconds(),
                        outage.toSeconds() - outage.fromSeconds(),
                        silent(outage.silentServers()));
            }
        }
    }

    private static String silent(List<String> servers) {
        return servers.isEmpty() ? "" : "; " + String.join(", ", servers) + " did not answer either";
    }

    /** In a closed load, a stall shows up only as a few slow operations. */
    void stalls(Map<String, OperationResult> operations) {
        operations.forEach((name, operation) -> {
            Latency total = operation.latencyMicros().get("total");
            if (total != null
                    && total.max() > STALL_SECONDS * 1e6
                    && total.max() > STALL_MEDIANS * Math.max(total.p50(), medianOfStatements(operation))) {
                remarks.add(RemarkCode.STALL, name, total.max() / 1e6, total.max() / total.p50());
            }
        });
    }

    /** The sum of its statements' medians: more than its own if most of its executions skip a long one. */
    private static double medianOfStatements(OperationResult operation) {
        return operation.statements().values().stream()
                .map(StatementResult::latencyMicros)
                .filter(Objects::nonNull)
                .mapToDouble(Latency::p50)
                .sum();
    }

    /** @param measured number of intervals of the measurement */
    void intervals(int measured) {
        if (measured < MIN_INTERVALS) {
            remarks.add(RemarkCode.FEW_INTERVALS, measured, measured == 1 ? "" : "s");
        }
    }
}
