package io.pgstress.runner;

import io.pgstress.result.Explained.NodeStatements;
import io.pgstress.target.ClusterNode;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** What a server counted of the run's statements. Not thread-safe. */
final class PeerStatements {
    private final ClusterNode peer;
    private final PeerLink link;
    private final String query;
    private @Nullable StatementCounts before;

    /** @param named, uncounted the conditions of {@link io.pgstress.target.dialect.Plans}; empty: nothing is counted */
    PeerStatements(ClusterNode peer, PeerLink link, String named, String uncounted) {
        this.peer = peer;
        this.link = link;
        this.query = named.isEmpty() || !peer.holdsData() ? "" : StatementCounts.query(named, uncounted);
    }

    /** Whether it is one that is to count. */
    boolean isAsked() {
        return !query.isEmpty();
    }

    /** The run is about to begin. */
    void start() {
        before = read();
    }

    /**
     * Since then; null where it does not count, does not tell, or counted anew.
     *
     * @param plansUncounted whether the run's statements are such that come without a text, but with a transaction
     */
    @Nullable
    NodeStatements since(boolean plansUncounted) {
        StatementCounts then = before;
        StatementCounts now = read();
        if (then == null || now == null) {
            return null;
        }
        if (now.beganAnewSince(then)) {
            link.noteOfNode(
                    now.full()
                            ? "pg_stat_statements of %s is full and dropped entries of the run's statements: not compared"
                                    + " (a larger pg_stat_statements.max counts all)"
                            : "%s counted statements anew during the run (a restart): not compared");
            return null;
        }
        long twoPhase = now.twoPhaseSince(then);
        boolean isLeast = now.full() && twoPhase > 0;
        if (isLeast) {
            link.noteOfNode("pg_stat_statements of %s is full and drops entries, of which each two-phase commit is one:"
                    + " there were more of those than told (a larger pg_stat_statements.max counts all)");
            if (plansUncounted) {
                return null;
            }
        }
        long withoutText = plansUncounted ? Math.max(0, now.uncountedSince(then) - twoPhase) : 0;
        return new NodeStatements(
                peer.name(), peer.role(), now.namedSince(then) + withoutText, twoPhase, isLeast, now.textsSince(then));
    }

    private @Nullable StatementCounts read() {
        if (query.isEmpty()) {
            return null;
        }
        try {
            return StatementCounts.read(link.open(), query);
        } catch (SQLException e) {
            link.failed("statements", e);
            return null;
        }
    }
}
