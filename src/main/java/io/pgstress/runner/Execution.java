package io.pgstress.runner;

import io.pgstress.measure.ClientRecorder;
import io.pgstress.measure.NanoClock;
import io.pgstress.measure.Outcome;
import io.pgstress.measure.Timeline;
import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.Ending;
import io.pgstress.target.driver.PoolerErrors;
import io.pgstress.target.driver.ServerErrors;
import java.sql.SQLException;

/**
 * Runs and records a client's operations: one after the other, each with its connection, commit and retries. Belongs to the client's
 * thread.
 */
final class Execution {
    private final ClientRules rules;
    private final boolean transaction;
    private final Timeline timeline;
    private final Stop stop;
    private final NanoClock clock;
    private final ClientSession session;
    private final ClientRecorder recorder;
    private final RetryDelay retryDelay;

    Execution(Course course, ClientRules rules, ClientSession session, ClientRecorder recorder, RetryDelay retryDelay) {
        this.rules = rules;
        this.transaction = rules.transaction();
        this.timeline = course.timeline();
        this.stop = course.stop();
        this.clock = course.clock();
        this.session = session;
        this.recorder = recorder;
        this.retryDelay = retryDelay;
    }

    /**
     * Runs the operation until it succeeds or finally fails.
     *
     * @param open whether the load is open
     * @param due its scheduled start, or its start in a closed load
     */
    void run(int number, ClientOperation next, boolean open, long due, long start) throws InterruptedException {
        recorder.begin(start);
        long acquire = 0;
        int tries = 1;
        while (true) {
            try {
                acquire += session.acquire();
                Ending ending = next.execute();
                if (transaction) {
                    commit(number, next);
                }
                session.release();
                long rows = ending == Ending.OK ? next.rows() : 0;
                recorder.end(number, outcome(ending), open, due, start, acquire, clock.nanoTime(), rows, tries - 1);
                retryDelay.reset();
                return;
            } catch (SQLException e) {
                session.failed(e);
                if (tries < rules.maxTries() && RetryDelay.isRetryable(e) && !timeline.drainIsOver()) {
                    retryDelay.beforeRetry(tries++);
                } else {
                    recorder.end(number, Outcome.FAILED, open, due, start, acquire, clock.nanoTime(), 0, tries - 1);
                    fail(number, due, e);
                    return;
                }
            }
        }
    }

    private void commit(int number, ClientOperation operation) throws SQLException {
        try {
            session.commit(number);
        } catch (SQLException e) {
            operation.notCommitted(e);
            throw e;
        }
        operation.committed();
    }

    private void fail(int number, long due, SQLException e) throws InterruptedException {
        if (timeline.drainIsOver()) {
            return;
        }
        String state = ServerErrors.stateOf(e);
        recorder.error(number, due, state, ServerErrors.sampleOf(e));
        if (PoolerErrors.isOfForeignSession(e, rules.sharesSessions())) {
            stop.now(StopCause.FOREIGN_SESSION, PoolerErrors.words(e));
        } else if (rules.stopOnError()) {
            stop.now(StopCause.FIRST_ERROR, state + ": " + ServerErrors.sampleOf(e));
        } else if (!session.isAlive()) {
            retryDelay.beforeReconnect();
        }
    }

    private static Outcome outcome(Ending ending) {
        return switch (ending) {
            case OK -> Outcome.OK;
            case MISS -> Outcome.MISS;
            case DUPLICATE -> Outcome.DUPLICATE;
        };
    }
}
