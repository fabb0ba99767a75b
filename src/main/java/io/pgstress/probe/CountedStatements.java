package io.pgstress.probe;

import io.pgstress.plan.TableName;
import io.pgstress.result.Explained.NodeStatements;
import io.pgstress.target.dialect.Plans;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A server's counts of the run's statements before and after the run. Not thread-safe. */
final class CountedStatements {
    private final ServerList.Observed server;
    private final ServerLink link;
    private final String query;
    private @Nullable StatementCounts before;
    private @Nullable StatementCounts after;

    /** @param plans describes what the run's statements look like on the servers that hold the data */
    CountedStatements(ServerList.Observed server, ServerLink link, Plans plans, TableName table) {
        this.server = server;
        this.link = link;
        String named = plans.onNodes(table);
        this.query = named.isEmpty() || !server.holdsData() ? "" : StatementCounts.query(named, plans.uncounted());
    }

    /** Whether this server counts the statements. */
    boolean isAsked() {
        return !query.isEmpty();
    }

    void readBefore() {
        before = read();
    }

    void readAfter() {
        after = read();
    }

    /**
     * The difference; null if the server does not count, does not answer, or was restarted.
     *
     * @param areWithoutText whether the run's statements have no text but a transaction
     */
    @Nullable
    NodeStatements counted(boolean areWithoutText) {
        StatementCounts then = before;
        StatementCounts now = after;
        if (then == null || now == null) {
            return null;
        }
        if (now.wasResetSince(then)) {
            link.noteOfNode(
                    now.full()
                            ? "pg_stat_statements of %s is full and dropped entries of the run's statements: not"
                                    + " compared (a larger pg_stat_statements.max counts all)"
                            : "%s reset its statement counters during the run (possibly by a restart): not compared");
            return null;
        }
        long twoPhase = now.twoPhaseSince(then);
        boolean isLeast = now.full() && twoPhase > 0;
        if (isLeast) {
            link.noteOfNode("pg_stat_statements of %s is full and drops entries; each two-phase commit is an entry:"
                    + " there were more of those than reported (a larger pg_stat_statements.max counts all)");
            if (areWithoutText) {
                return null;
            }
        }
        long withoutText = areWithoutText ? Math.max(0, now.uncountedSince(then) - twoPhase) : 0;
        return new NodeStatements(
                server.name(),
                server.role(),
                now.namedSince(then) + withoutText,
                twoPhase,
                isLeast,
                now.textsSince(then));
    }

    private @Nullable StatementCounts read() {
        if (query.isEmpty()) {
            return null;
        }
        try {
            return StatementCounts.read(link.open(), query);
        } catch (SQLException e) {
            String remedy = StatementsView.remedy(e);
            if (remedy.isEmpty()) {
                link.failed("statements", e);
            } else {
                link.noteOfNode(StatementsView.UNAVAILABLE + remedy);
            }
            return null;
        }
    }
}
