package io.pgstress.probe;

import io.pgstress.operation.TableCheck.PostRunCheck;
import io.pgstress.runner.Findings;
import io.pgstress.runner.Probe;
import io.pgstress.runner.RunContext;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.SessionPurpose;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Checks after the load whether the tables contain what the operations wrote. */
public final class PostRunChecks implements Probe {
    private final Servers servers;
    private final Connector connector;
    private final boolean areNone;
    private final TimedChecks checks;

    /** @param servers tell whether a server answers */
    public PostRunChecks(RunContext run, Servers servers) {
        this.servers = servers;
        this.connector = run.target().first().connector();
        this.areNone = run.checks().isEmpty();
        this.checks = new TimedChecks(run.checks(), connector, run::phase, run::isInterrupted);
    }

    @Override
    public void contribute(Findings findings) throws InterruptedException {
        if (!areNone) {
            boolean isAnswered = servers.haveAllAnswered()
                    && servers.first().begin(this::isAnswered).orElse(false);
            findings.checked(isAnswered ? checks.run(TimedChecks.MAX_SECONDS) : unanswered());
        }
    }

    private static List<PostRunCheck> unanswered() {
        return TimedChecks.undone("a server did not answer");
    }

    /** Whether the server accepts a connection and a statement; to be called with a time limit. */
    private boolean isAnswered() {
        try (Connection probe = connector.open(SessionPurpose.CONTROL);
                Statement statement = probe.createStatement()) {
            return statement.execute("select 1");
        } catch (SQLException e) {
            return false;
        }
    }

    @Override
    public void hurry() {
        checks.abort();
    }
}
