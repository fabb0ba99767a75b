package io.pgstress.target.dialect;

import io.pgstress.plan.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How transactions commit, and what the server shows of their writes. The defaults are those of a server of which nothing
 * is known. Stateless and thread-safe.
 */
public interface Transactions {
    /** SQLSTATE unique_violation. */
    String UNIQUE_VIOLATION = "23505";

    /** Those of a server of which nothing is known. */
    Transactions UNKNOWN = new Transactions() {};

    /**
     * Whether a transaction commits in one place and one log, so that a crash loses the last ones as a whole or not at all, and
     * every later commit that is waited for saves the earlier ones too.
     */
    default boolean commitsInOnePlace() {
        return false;
    }

    /** Whether this error is a duplicate key. */
    default boolean isDuplicateKey(SQLException e) {
        return UNIQUE_VIOLATION.equals(e.getSQLState());
    }

    /**
     * A query of the number of a table's rows updated so far, and of a text that changes whenever the count restarts; no row,
     * or null: not counted. Null: this server does not count.
     */
    default @Nullable String updateCounter(TableName table) {
        return null;
    }

    /** Whether the {@code xmin} of a row can be compared with {@code txid_current()}, on whichever node the row is. */
    default boolean showsRowTransactions() {
        return false;
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
}
