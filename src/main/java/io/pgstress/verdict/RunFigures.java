package io.pgstress.verdict;

import io.pgstress.measure.Phase;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.NodeResult;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RunResult;
import java.util.List;

/** Figures derived from a result for the checks. */
record RunFigures(RunResult result) {
    /** The minimum share of the operations due in an open loop that must have begun. */
    static final double MIN_BEGUN = 0.99;

    /** Duration of the measurement in seconds. */
    double seconds() {
        return result.run().measuredSeconds();
    }

    boolean isClosed() {
        return !result.run().workload().hasRate();
    }

    int clients() {
        return result.nodes().stream().mapToInt(NodeResult::clients).sum();
    }

    List<IntervalResult> measured() {
        return result.intervals().stream().filter(i -> i.in(Phase.MEASURE)).toList();
    }

    /** Operations with any outcome that ended and whose (intended) start was within the measurement. */
    long ended() {
        return result.operations().values().stream()
                .mapToLong(RunFigures::ended)
                .sum();
    }

    static long ended(OperationResult o) {
        return o.ok() + o.misses() + o.duplicates() + o.failed();
    }

    /** Operations due within the measurement; in a closed loop, those that began in it. */
    long due() {
        return ended() + unfinished();
    }

    /** Whether the load is closed, or started nearly all operations that were due. */
    boolean keptUp() {
        Long backlog = result.load().open().backlog();
        return backlog == null || keptUp(due(), backlog);
    }

    /** One operation that is late at the end of the measurement is not yet a queue. */
    static boolean keptUp(long due, long backlog) {
        return backlog <= 1 || due - backlog >= MIN_BEGUN * due;
    }

    long ok() {
        return result.operations().values().stream()
                .mapToLong(OperationResult::ok)
                .sum();
    }

    long unfinished() {
        return result.operations().values().stream()
                .mapToLong(OperationResult::unfinished)
                .sum();
    }

    /** Operations with any outcome that ended within the measurement, whenever they began. */
    long endedInTime() {
        return measured().stream().mapToLong(RunFigures::ended).sum();
    }

    /** Operations with any outcome that ended in an interval. */
    static long ended(IntervalResult i) {
        return i.counts().ok()
                + i.counts().misses()
                + i.counts().duplicates()
                + i.counts().failed();
    }

    /** Number of pauses in the measurement. */
    int pauses() {
        int known = result.load().halts().atSeconds().size();
        return known < MAX_PLACES ? known : result.load().halts().count();
    }

    /** A result contains the times of at most this many pauses. */
    private static final int MAX_PLACES = 1000;
}
