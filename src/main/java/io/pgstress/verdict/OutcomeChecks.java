package io.pgstress.verdict;

import io.pgstress.machine.MachineProfile;
import io.pgstress.plan.option.Percent;
import io.pgstress.result.DatasetInfo;
import io.pgstress.result.NodeResult;
import io.pgstress.result.OperationResult;
import io.pgstress.result.OperationResult.ErrorCount;
import io.pgstress.result.Outage;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.verdict.SilentServers.CommonSilence;
import io.pgstress.verdict.SilentServers.Silence;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks the outcomes of operations and the availability of servers. Not thread-safe. */
final class OutcomeChecks {
    private static final double FEW = 0.01;

    private final Remarks remarks;
    private final @Nullable String table;

    /** @param table the one under load; null if no ids of a table are drawn */
    OutcomeChecks(Remarks remarks, @Nullable String table) {
        this.remarks = remarks;
        this.table = table;
    }

    /** The checks of a run. */
    static OutcomeChecks of(RunResult result, Remarks remarks) {
        DatasetInfo data = result.dataset();
        return new OutcomeChecks(remarks, data.idsDrawnFrom() == 0 ? null : data.table());
    }

    /**
     * @param maxErrorRate the share of failures from which a run is not valid
     * @param hasMeasured whether the run reached its measurement
     */
    void operations(double maxErrorRate, Map<String, OperationResult> operations, boolean hasMeasured) {
        long ok = 0;
        long failed = 0;
        long misses = 0;
        long duplicates = 0;
        for (Map.Entry<String, OperationResult> one : operations.entrySet()) {
            OperationResult o = one.getValue();
            ok += o.ok();
            failed += o.failed();
            misses += o.misses();
            duplicates += o.duplicates();
            if (o.ok() == 0 && o.failed() > 0 && operations.size() > 1) {
                remarks.add(RemarkCode.NO_SUCCESS_OF
                        .with("operation", one.getKey())
                        .with("failed", o.failed())
                        .remark());
            }
        }
        boolean hasEnded = operations.values().stream().anyMatch(o -> o.okInWindow() > 0);
        if (!hasMeasured) {
            remarks.add(RemarkCode.NOTHING_MEASURED.remark());
        } else if (ok == 0 && failed > 0) {
            Map.Entry<String, ErrorCount> worst = worst(operations.values());
            remarks.add((hasEnded ? RemarkCode.NO_SUCCESS_OF_BEGUN : RemarkCode.NO_SUCCESS)
                    .with("failed", failed)
                    .with("sqlstate", worst == null ? null : worst.getKey())
                    .with("message", worst == null ? null : worst.getValue().text())
                    .remark());
        } else if (ok == 0 && !hasEnded && misses + duplicates > 0) {
            remarks.add(RemarkCode.ONLY_MISSES
                    .with("misses", misses)
                    .with("duplicates", duplicates)
                    .with("table", table)
                    .remark());
        } else if (ok == 0 || !hasEnded) {
            remarks.add(RemarkCode.NONE_ENDED.remark());
        }
        failures(maxErrorRate, operations.values(), ok + misses + duplicates + failed, failed);
    }

    private void failures(double limit, Collection<OperationResult> operations, long ended, long failed) {
        if (failed == 0) {
            return;
        }
        double share = (double) failed / ended;
        Map.Entry<String, ErrorCount> worst = worst(operations);
        String sqlstate = worst == null ? null : worst.getKey();
        String message = worst == null ? null : worst.getValue().text();
        if (share > limit) {
            remarks.add(RemarkCode.TOO_MANY_FAILED
                    .with("failed", failed)
                    .with("ended", ended)
                    .with("percent", 100 * share)
                    .with("limit", Percent.text(limit))
                    .with("sqlstate", sqlstate)
                    .with("message", message)
                    .remark());
        } else {
            remarks.add(RemarkCode.FAILED
                    .with("failed", failed)
                    .with("ended", ended)
                    .with("percent", 100 * share)
                    .with("sqlstate", sqlstate)
                    .with("message", message)
                    .remark());
        }
    }

    /** The most frequent error; null if there is none. One SQLSTATE may stand for several. */
    private static Map.@Nullable Entry<String, ErrorCount> worst(Collection<OperationResult> operations) {
        return OperationResult.sum(operations).errors().entrySet().stream()
                .max(Comparator.comparingLong(e -> e.getValue().mostOften().getValue()))
                .orElse(null);
    }

    /**
     * Operations that matched no row, or inserted none, are excluded from rates. An operation that expects none of them is another one
     * if there are many: what it would have done, it did not do.
     *
     * @param limits the highest share of both, by operation; no limit without an entry
     * @param nodes the servers' shares
     */
    void emptyHanded(Map<String, OperationResult> operations, Map<String, Double> limits, List<NodeResult> nodes) {
        operations.forEach((name, o) -> {
            long all = o.ok() + o.misses() + o.duplicates();
            long empty = empty(o);
            Double limit = limits.get(name);
            List<NodeResult> with = onlyOn(name, nodes);
            String only = with.isEmpty() ? null : names(with);
            // ids are read from the first server
            String lacking = table == null || only == null || with.contains(nodes.get(0)) ? null : only;
            if (limit != null && empty > limit * all) {
                remarks.add(RemarkCode.TOO_MANY_MISSES
                        .with("percent", 100.0 * empty / all)
                        .with("operation", name)
                        .with("limit", Percent.text(limit))
                        .with("misses", o.misses())
                        .with("duplicates", o.duplicates())
                        .with("servers", only)
                        .with("lacking", lacking)
                        .with("table", table)
                        .remark());
                return;
            }
            if (o.misses() > FEW * all) {
                remarks.add(RemarkCode.MISSES
                        .with("percent", 100.0 * o.misses() / all)
                        .with("operation", name)
                        .with("servers", only)
                        .with("lacking", lacking)
                        .with("table", table)
                        .remark());
            }
            if (o.duplicates() > FEW * all) {
                remarks.add(RemarkCode.DUPLICATES
                        .with("percent", 100.0 * o.duplicates() / all)
                        .with("operation", name)
                        .remark());
            }
        });
    }

    private static long empty(OperationResult operation) {
        return operation.misses() + operation.duplicates();
    }

    /**
     * The servers on which an operation found nothing, if it always did something on another: they lack rows that this one has. Empty if
     * that is not so.
     */
    private static List<NodeResult> onlyOn(String operation, List<NodeResult> nodes) {
        Map<Boolean, List<NodeResult>> byOutcome = nodes.stream()
                .filter(node -> node.operations().containsKey(operation))
                .collect(Collectors.partitioningBy(
                        node -> empty(Objects.requireNonNull(node.operations().get(operation))) > 0));
        boolean isElsewhere = byOutcome.getOrDefault(false, List.of()).stream()
                .anyMatch(node ->
                        Objects.requireNonNull(node.operations().get(operation)).ok() > 0);
        List<NodeResult> with = byOutcome.getOrDefault(true, List.of());
        return !isElsewhere || with.isEmpty() ? List.of() : with;
    }

    private static String names(List<NodeResult> nodes) {
        return nodes.stream()
                .map(node -> MachineProfile.shortNameOf(node.url()))
                .collect(Collectors.joining(", "));
    }

    /**
     * An open loop that executed everything in time has not reached its rate if too little of it succeeded, although failures and
     * misses may each be within their limit.
     *
     * @param maxErrorRate the highest valid share of failures
     * @param limits the highest share of misses and duplicates, by operation; those without an entry expect them
     */
    void belowTarget(RunFigures run, double maxErrorRate, Map<String, Double> limits) {
        if (run.isClosed() || !run.keptUp()) {
            return;
        }
        long lost = 0;
        double limit = Math.max(FEW, maxErrorRate);
        for (Map.Entry<String, OperationResult> one : run.result().operations().entrySet()) {
            OperationResult o = one.getValue();
            Double ofMisses = limits.get(one.getKey());
            lost += o.failed() + (ofMisses == null ? 0 : o.misses() + o.duplicates());
            limit = Math.max(limit, ofMisses == null ? 0 : ofMisses);
        }
        long ended = run.ended();
        if (lost > limit * ended) {
            remarks.add(RemarkCode.BELOW_TARGET
                    .with("lost", lost)
                    .with("ended", ended)
                    .with("percent", 100.0 * lost / ended)
                    .remark());
        }
    }

    /**
     * Only lower bounds are known of the times of unfinished operations. If they are more than 1% of the operations in the percentiles,
     * so is p99. The figure of an overloaded open loop is its rate.
     *
     * @param hung clients still in an operation from before the measurement, by what they wait for
     */
    void unfinished(RunFigures run, Map<String, Integer> hung) {
        long unfinished = run.unfinished();
        double share = (double) unfinished / Math.max(1, run.ok() + unfinished);
        if (share > FEW && run.keptUp()) {
            remarks.add(RemarkCode.P99_IS_LOWER_BOUND
                    .with("unfinished", unfinished)
                    .with("percent", 100 * share)
                    .remark());
        } else if (unfinished > 0) {
            remarks.add(RemarkCode.UNFINISHED.with("unfinished", unfinished).remark());
        }
        if (!hung.isEmpty()) {
            remarks.add(RemarkCode.HUNG_CLIENTS
                    .with(
                            "clients",
                            hung.values().stream().mapToInt(Integer::intValue).sum())
                    .with("waiting", new TreeMap<>(hung))
                    .remark());
        }
    }

    /**
     * Reports servers that did not answer their checks without a known outage, and all servers at once.
     *
     * @param measuredSeconds duration of the measurement: a server silent only after it leaves the run valid
     * @param result tells whether sessions of the load broke meanwhile
     */
    void silences(Evidence evidence, double measuredSeconds, RunResult result) {
        SilentServers silent = evidence.silentServers();
        for (Silence silence : silent.others()) { // outages report the rest, with more precise times
            Set<String> broken =
                    Availability.brokenSessions(result, new Outage(silence.asked(), silence.to(), silence.url(), true));
            if (silent.isContradicted(silence) && !broken.isEmpty()) {
                remarks.add(RemarkCode.CHECKS_AND_SESSIONS_LOST
                        .with("server", silence.name())
                        .with("fromSeconds", silence.from())
                        .with("to", silence.end())
                        .with("states", String.join(", ", broken))
                        .remark());
                continue;
            }
            RemarkCode code = silent.isContradicted(silence)
                    ? RemarkCode.CHECKS_UNANSWERED
                    : silence.to() > 0 && silence.asked() < measuredSeconds
                            ? RemarkCode.SERVER_SILENT
                            : RemarkCode.SERVER_SILENT_AFTERWARDS;
            remarks.add(code.with("server", silence.name())
                    .with("fromSeconds", code == RemarkCode.SERVER_SILENT_AFTERWARDS ? silence.asked() : silence.from())
                    .with("to", silence.end())
                    .remark());
        }
        String hint = evidence.silentTogetherHint;
        for (CommonSilence common : CommonSilence.of(silent.all(), evidence.servers)) {
            remarks.add(RemarkCode.ALL_SERVERS_SILENT
                    .with("servers", evidence.servers)
                    .with("atSeconds", (common.from() + common.to()) / 2)
                    .with("hint", hint.isEmpty() ? null : hint)
                    .remark());
        }
    }
}
