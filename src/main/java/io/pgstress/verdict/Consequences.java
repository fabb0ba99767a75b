package io.pgstress.verdict;

import io.pgstress.plan.TableName;
import io.pgstress.result.OperationResult;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The findings that follow from another one, so that one fact is one remark. Such a finding is left out if its cause is reported: remove
 * the cause and measure again to see whether it had another one. A reason is left out only if its cause is a reason, too, so that
 * whether a run is valid never depends on it.
 */
final class Consequences {
    private static final Set<RemarkCode> OF_A_DELAYED_CLIENT = Set.of(
            RemarkCode.LATE_READINGS,
            RemarkCode.IDLE_CLIENTS,
            RemarkCode.UNEVEN_CLIENTS,
            RemarkCode.LONG_OPERATION_CLIENT);

    /** On a full machine, the client's own work takes longer, too. */
    private static final Set<RemarkCode> OF_A_FULL_MACHINE = Set.of(
            RemarkCode.CLIENT_STOOD_STILL,
            RemarkCode.CLIENT_STOOD_STILL_LONG,
            RemarkCode.CLIENT_COMPILER,
            RemarkCode.CLIENT_COLLECTOR,
            RemarkCode.LONG_OPERATION_COLLECTOR,
            RemarkCode.UNSTEADY,
            RemarkCode.NOT_STEADY);

    private static final Set<RemarkCode> OF_CLIENTS_THAT_HANG =
            Set.of(RemarkCode.IDLE_CLIENTS, RemarkCode.UNEVEN_CLIENTS, RemarkCode.NONE_ENDED);

    private static final Set<RemarkCode> OF_FAILURES =
            Set.of(RemarkCode.TOO_MANY_FAILED, RemarkCode.FAILED, RemarkCode.NO_SUCCESS_OF);

    private static final Map<RemarkCode, List<Set<RemarkCode>>> OF = Map.of(
            RemarkCode.OTHERS_STARVED_CLIENT,
                    List.of(OF_A_DELAYED_CLIENT, OF_A_FULL_MACHINE, Set.of(RemarkCode.OTHERS_FILLED_MACHINE)),
            RemarkCode.OTHERS_FILLED_MACHINE, List.of(OF_A_DELAYED_CLIENT, OF_A_FULL_MACHINE),
            RemarkCode.CLIENT_STOOD_STILL_LONG, List.of(OF_A_DELAYED_CLIENT),
            RemarkCode.BEHIND_AFTER_OUTAGE, List.of(Set.of(RemarkCode.MOSTLY_IDLE)),
            RemarkCode.TOO_MANY_FAILED, List.of(Set.of(RemarkCode.BELOW_TARGET)),
            RemarkCode.TOO_MANY_MISSES, List.of(Set.of(RemarkCode.BELOW_TARGET)),
            RemarkCode.NO_SUCCESS, List.of(OF_FAILURES),
            RemarkCode.NO_SUCCESS_OF_BEGUN, List.of(OF_FAILURES),
            RemarkCode.HUNG_CLIENTS, List.of(OF_CLIENTS_THAT_HANG));

    private static final Set<RemarkCode> LOST_SERVER =
            Set.of(RemarkCode.SERVER_UNAVAILABLE, RemarkCode.SERVER_SILENT, RemarkCode.FAILOVER);

    /** Only if they would not be there without the time in which the server was lost. */
    private static final Set<RemarkCode> OF_A_LOST_SERVER = Set.of(
            RemarkCode.MOSTLY_IDLE,
            RemarkCode.TOO_MANY_FAILED,
            RemarkCode.FAILED,
            RemarkCode.BELOW_TARGET,
            RemarkCode.UNFINISHED,
            RemarkCode.P99_IS_LOWER_BOUND,
            RemarkCode.CHECKPOINT);

    private static final Set<RemarkCode> OUTAGES =
            Set.of(RemarkCode.OUTAGE, RemarkCode.OUTAGES, RemarkCode.MOSTLY_IDLE, RemarkCode.BEHIND_AFTER_OUTAGE);

    /** A longer drain ends no outage that lasts as long as the run. */
    private static final Set<RemarkCode> OF_AN_OUTAGE_WITHOUT_END =
            Set.of(RemarkCode.UNFINISHED, RemarkCode.P99_IS_LOWER_BOUND);

    private static final Set<RemarkCode> LOST_ROWS =
            Set.of(RemarkCode.INSERTS_MISSING, RemarkCode.UNLOGGED_ROWS_LOST, RemarkCode.TABLE_CHANGED);

    /** The table of pgbench with a row for each change of the balances. */
    private static final String HISTORY = "pgbench_history";

    private static final Set<RemarkCode> MISSES = Set.of(RemarkCode.TOO_MANY_MISSES, RemarkCode.MISSES);

    private final RunFigures run;
    private final boolean isClientFilled;

    /** @param isClientFilled whether a machine that others filled is the client's: that of a server delays no client */
    Consequences(RunFigures run, boolean isClientFilled) {
        this.run = run;
        this.isClientFilled = isClientFilled;
    }

    /**
     * The findings that do not follow from one of these causes, in their order.
     *
     * @param causes reasons for reasons, and any finding for warnings
     */
    List<Remark> without(List<Remark> findings, Collection<Remark> causes) {
        return findings.stream()
                .filter(finding ->
                        causes.stream().noneMatch(cause -> isOfSamePart(finding, cause) && follows(finding, cause)))
                .toList();
    }

    /**
     * Whether a result that was judged before, when the stops of the client were known, has a remark on them, or one from which they follow.
     */
    static boolean haveStops(Collection<Remark> judged) {
        return judged.stream()
                .map(Remark::code)
                .anyMatch(code -> code == RemarkCode.CLIENT_STOOD_STILL
                        || code == RemarkCode.CLIENT_STOOD_STILL_LONG
                        || OF.getOrDefault(code, List.of()).contains(OF_A_FULL_MACHINE));
    }

    /** What is found of the whole run explains what is found of its hosts, and that of a host only its own. */
    private static boolean isOfSamePart(Remark finding, Remark cause) {
        Object part = cause.figures().get(Remark.ABOUT);
        return part == null || part.equals(finding.figures().get(Remark.ABOUT));
    }

    private boolean follows(Remark remark, Remark reason) {
        RemarkCode finding = remark.code();
        RemarkCode cause = reason.code();
        if (LOST_SERVER.contains(cause)) {
            return OF_A_LOST_SERVER.contains(finding) && Availability.isOnlyOfLostServers(remark, run);
        }
        if (OUTAGES.contains(cause) && OF_AN_OUTAGE_WITHOUT_END.contains(finding)) {
            return Availability.outages(run.result()).stream()
                    .anyMatch(outage -> outage.node() == null && Availability.hasNoEnd(outage, run.seconds()));
        }
        if (cause == RemarkCode.WRITES_DISCARDED && MISSES.contains(finding)) {
            return areDiscardedWrites(remark, reason);
        }
        if (cause == RemarkCode.TOO_MANY_MISSES && finding == RemarkCode.MOSTLY_IDLE) {
            return Availability.isIdleByMisses(run);
        }
        if (LOST_ROWS.contains(cause) && finding == RemarkCode.BALANCES_DIFFER) {
            return areOfLostHistory(remark, reason);
        }
        return OF.getOrDefault(cause, List.of()).stream().anyMatch(codes -> codes.contains(finding))
                && (cause != RemarkCode.OTHERS_FILLED_MACHINE || isClientFilled);
    }

    /**
     * Whether balances differ only from a history that lost rows: they all grew by the same. One sum alone has none to agree with, and
     * those of tables that were all emptied agree as well.
     */
    private static boolean areOfLostHistory(Remark balances, Remark lost) {
        return TableName.parse(String.valueOf(lost.figures().get("table")))
                        .name()
                        .equals(HISTORY)
                && !balances.figures().containsKey("unlogged")
                && balances.figures().get("grown") instanceof Map<?, ?> grown
                && grown.size() > 1
                && Set.copyOf(grown.values()).size() == 1;
    }

    /** Whether an operation missed only because the server discarded its writes. */
    private boolean areDiscardedWrites(Remark misses, Remark discarded) {
        Object name = misses.figures().get("operation");
        OperationResult operation =
                name == null ? null : run.result().operations().get(name.toString());
        return name != null
                && operation != null
                && name.equals(discarded.figures().get("operation"))
                && operation.duplicates() == 0
                && discarded.figures().get("rows") instanceof Number rows
                && rows.longValue() >= operation.misses();
    }
}
