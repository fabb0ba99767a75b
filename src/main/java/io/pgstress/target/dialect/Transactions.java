package io.pgstress.target.dialect;

import io.pgstress.plan.TableName;
import io.pgstress.text.Rounded;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How transactions commit, and what the server shows of their writes. The defaults are those of an unknown server. Stateless
 * and thread-safe.
 */
public interface Transactions {
    /** SQLSTATE unique_violation. */
    String UNIQUE_VIOLATION = "23505";

    /**
     * Whether a transaction commits in one place and one log, so that a crash loses the last ones as a whole or not at all, and
     * every later commit that is waited for saves the earlier ones too.
     */
    default boolean commitsInOnePlace() {
        return false;
    }

    /**
     * Whether a transaction that changes rows on several nodes or in several shards commits in two phases.
     *
     * @param load a session like those of the clients
     */
    default boolean commitsInTwoPhases(Connection load) throws SQLException {
        return true;
    }

    /** Whether a part of a transaction can be rolled back. */
    default boolean hasSavepoints() {
        return true;
    }

    /** Whether this error is a duplicate key. */
    default boolean isDuplicateKey(SQLException e) {
        return UNIQUE_VIOLATION.equals(e.getSQLState());
    }

    /**
     * A query that returns the number of updated rows of a table so far, and a text that changes whenever the count restarts.
     * It returns no row, or null, if the table has no count. Null if the server does not count.
     */
    default @Nullable String updateCounter(TableName table) {
        return null;
    }

    /** The condition that selects the rows of a table written after this moment; empty if its rows do not show it. */
    default String newerThanNow(Connection connection, TableName table) throws SQLException {
        return "";
    }

    /** Transactions of this database that were prepared and neither committed nor rolled back: they hold their locks. */
    default List<PreparedTransaction> prepared(Connection connection) throws SQLException {
        return CatalogQueries.prepared(connection, "", PreparedTransaction.QUERY);
    }

    /** How to end them. */
    default String endOfPrepared() {
        return "commit prepared '...' or rollback prepared '...', once their owner is known to be gone";
    }

    /** Whether the servers themselves prepared it, to commit a transaction of several nodes in two phases. */
    default boolean isOfServers(PreparedTransaction transaction) {
        return false;
    }

    /**
     * A row of {@code pg_prepared_xacts}.
     *
     * @param node the node that has it; empty if there is only one
     * @param gid its name
     * @param since the time when it was prepared
     */
    record PreparedTransaction(String node, String gid, String since) {
        static final String QUERY = "select gid, prepared::timestamp(0)::text from pg_prepared_xacts"
                + " where database = current_database() order by prepared";

        /** One line about these transactions: their number, the first one, and what to do. */
        public static String words(List<PreparedTransaction> all, String end) {
            PreparedTransaction first = all.get(0);
            return Rounded.format(
                    "%,d prepared transactions hold locks (pg_prepared_xacts), such as '%s'%s since %s: end them by %s",
                    all.size(), first.gid(), first.node().isEmpty() ? "" : " on " + first.node(), first.since(), end);
        }
    }
}
