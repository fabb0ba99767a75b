package io.pgstress.probe;

import io.pgstress.measure.Phase;
import io.pgstress.operation.TableCheck;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.runner.Findings;
import io.pgstress.runner.Probe;
import io.pgstress.runner.RunContext;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.DriverSession;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.loop.Daemons;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.ObjDoubleConsumer;
import org.jspecify.annotations.Nullable;

/** Checks after the load whether the tables contain what the operations wrote. */
public final class PostRunChecks implements Probe {
    private final Servers servers;
    private final Connector connector;
    private final TimedChecks checks;

    /** @param servers tell whether a server answers */
    public PostRunChecks(RunContext run, Servers servers) {
        this.servers = servers;
        this.connector = run.target().first().connector();
        this.checks = new TimedChecks(run.checks(), connector, run::phase, run::isInterrupted);
    }

    @Override
    public void contribute(Findings findings) throws InterruptedException {
        if (!checks.checks.isEmpty()) {
            boolean isAnswered = servers.haveAllAnswered()
                    && servers.first().begin(this::isAnswered).orElse(false);
            findings.checked(
                    isAnswered
                            ? checks.run(TimedChecks.MAX_SECONDS)
                            : List.of(RemarkCode.CHECKS_WITHOUT_SERVER.remark()));
        }
    }

    /** Whether the server accepts a connection and a statement; to be called with a time limit. */
    private boolean isAnswered() {
        try (Connection probe = connector.open(SessionPurpose.CONTROL)) {
            return ControlSql.exists(probe, "select 1");
        } catch (SQLException e) {
            return false;
        }
    }

    @Override
    public void hurry() {
        checks.abort();
    }

    /**
     * Runs the checks of the operations' tables after the load, within a time limit. They may have to read all rows; unfinished
     * checks are cancelled, so that they do not disturb what comes next. Belongs to the run's thread.
     */
    static final class TimedChecks {
        /** Enough for 10^9 rows if a server counts two million per second. */
        static final long MAX_SECONDS = 600;

        /** The limit once the user wants the report; shorter than the wait for the report itself. */
        private static final long MAX_SECONDS_STOPPED = 20;

        private static final long UNREPORTED_NANOS = TimeUnit.SECONDS.toNanos(2);
        private static final long TICK_MILLIS = 100;
        private static final long CANCEL_SECONDS = 5;

        /** For connecting, and for each answer about what the checks wait for. */
        private static final int LOOK_SECONDS = 2;

        private static final String LOCK = """
            select wait_event_type || ':' || wait_event from pg_stat_activity
            where wait_event_type = 'Lock' and pid = ?
            """;

        private static final String HOLDER = """
            select 'session ' || coalesce(nullif(application_name, ''), pid::text) from pg_stat_activity
            where pid = any(pg_blocking_pids(?)) order by backend_start limit 1
            """;

        private final List<TableCheck.Query> checks;
        private final Connector connector;
        private final ObjDoubleConsumer<Phase> phase;
        private final BooleanSupplier stopRequested;
        private volatile @Nullable Connection control;
        private volatile boolean isAborted;

        /**
         * @param checks empty: there is nothing to check
         * @param phase called if the checks take long
         * @param stopRequested whether the user has asked the run to end
         */
        TimedChecks(
                List<TableCheck.Query> checks,
                Connector connector,
                ObjDoubleConsumer<Phase> phase,
                BooleanSupplier stopRequested) {
            this.checks = checks;
            this.connector = connector;
            this.phase = phase;
            this.stopRequested = stopRequested;
        }

        /** Ends the checks immediately; any thread may call it. */
        void abort() {
            isAborted = true;
        }

        /** The results of the checks; reports them as unknown if they took too long. */
        List<Remark> run(long maxSeconds) throws InterruptedException {
            FutureTask<List<Remark>> looking = new FutureTask<>(() -> checked(maxSeconds));
            Daemons.start("post-run-checks", looking);
            try {
                return await(looking, maxSeconds);
            } finally {
                if (!looking.isDone()) {
                    cancel(looking);
                }
            }
        }

        private List<Remark> await(FutureTask<List<Remark>> looking, long maxSeconds) throws InterruptedException {
            long start = System.nanoTime();
            long limit = maxSeconds;
            boolean isReported = false;
            while (true) {
                try {
                    return looking.get(TICK_MILLIS, TimeUnit.MILLISECONDS);
                } catch (TimeoutException e) {
                    long past = System.nanoTime() - start;
                    if (isAborted) {
                        return List.of(RemarkCode.CHECKS_ABORTED.remark());
                    }
                    if (limit == maxSeconds && stopRequested.getAsBoolean()) {
                        limit = Math.min(maxSeconds, TimeUnit.NANOSECONDS.toSeconds(past) + MAX_SECONDS_STOPPED);
                    }
                    if (past > TimeUnit.SECONDS.toNanos(limit)) {
                        long limitSeconds = limit;
                        return List.of(blocked(limit)
                                .orElseGet(() -> RemarkCode.CHECKS_TOO_SLOW
                                        .with("limitSeconds", limitSeconds)
                                        .remark()));
                    }
                    if (!isReported && past > UNREPORTED_NANOS) {
                        phase.accept(Phase.CHECK, (double) limit);
                        isReported = true;
                    }
                } catch (ExecutionException e) {
                    throw new IllegalStateException(e.getCause());
                }
            }
        }

        /** The remark on checks that wait for a lock; empty if they do not, or if that is unknown. */
        private Optional<Remark> blocked(long limit) {
            Connection waiting = control;
            if (waiting == null) {
                return Optional.empty();
            }
            try (Connection other = connector.open(SessionPurpose.LOOKUP.within(LOOK_SECONDS, LOOK_SECONDS))) {
                int process = DriverSession.announced(waiting);
                Optional<String> lock = ControlSql.text(other, LOCK.replace("?", String.valueOf(process)));
                String holder = lock.isEmpty()
                        ? null
                        : ControlSql.text(other, HOLDER.replace("?", String.valueOf(process)))
                                .orElse(null);
                return lock.map(name -> RemarkCode.CHECKS_BLOCKED
                        .with("limitSeconds", limit)
                        .with("lock", name)
                        .with("holder", holder)
                        .remark());
            } catch (SQLException e) {
                return Optional.empty(); // such as by a server that has no wait events
            }
        }

        private List<Remark> checked(long maxSeconds) {
            List<Remark> found = new ArrayList<>();
            try (Connection opened = connector.open(SessionPurpose.CONTROL)) {
                control = opened;
                // so that the server ends it even if this process has died
                if (DriverSession.isDirect(
                        opened)) { // otherwise it would persist in a session that a pooler lends to others
                    ControlSql.execute(opened, "set statement_timeout = '" + (maxSeconds + CANCEL_SECONDS) + "s'");
                }
                for (TableCheck.Query check : checks) {
                    found.addAll(check.on(opened));
                }
            } catch (SQLException e) {
                found.add(RemarkCode.CHECKS_REFUSED
                        .with("error", ServerErrors.sampleOf(e))
                        .remark());
            } catch (RuntimeException e) { // must not cost the result of a whole run
                found.add(RemarkCode.CHECKS_REFUSED.with("error", e.toString()).remark());
            }
            return found;
        }

        /** Cancels the statement, and waits briefly until the server has ended it. */
        private void cancel(FutureTask<List<Remark>> looking) throws InterruptedException {
            Connection asked = control;
            if (asked != null) {
                Daemons.start("cancel", () -> DriverSession.cancel(asked));
                if (isAborted) {
                    return;
                }
                try {
                    looking.get(CANCEL_SECONDS, TimeUnit.SECONDS);
                } catch (TimeoutException | ExecutionException e) {
                    DriverSession.abort(asked);
                }
            }
        }
    }
}
