package io.pgstress.importer.naming;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The progress of a session that creates an index, as {@code pg_stat_progress_create_index} shows it from PostgreSQL 12 on.
 *
 * @param phase the server's name of the phase, such as {@code building index: scanning table}
 * @param share the completed share of the phase, 0 to 1; -1 if the server does not say
 */
public record IndexProgress(String phase, double share) {
    private static final int FIRST_VERSION = 12;

    private static final String QUERY = "select phase, blocks_done, blocks_total, tuples_done, tuples_total"
            + " from pg_stat_progress_create_index where pid = ?";

    /** Whether the server shows progress. */
    public static boolean isShown(Connection connection) throws SQLException {
        return connection.getMetaData().getDatabaseMajorVersion() >= FIRST_VERSION;
    }

    /**
     * The progress of a session; empty if it creates no index at the moment.
     *
     * @param observer another session
     * @param pid the session's process number on the server
     */
    public static Optional<IndexProgress> of(Connection observer, int pid) throws SQLException {
        try (PreparedStatement statement = observer.prepareStatement(QUERY)) {
            statement.setInt(1, pid);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Optional.of(new IndexProgress(row.getString(1), share(row))) : Optional.empty();
            }
        }
    }

    private static double share(ResultSet row) throws SQLException {
        double tuples = row.getDouble("tuples_total");
        double blocks = row.getDouble("blocks_total");
        if (tuples > 0) {
            return Math.min(1, row.getDouble("tuples_done") / tuples);
        }
        return blocks > 0 ? Math.min(1, row.getDouble("blocks_done") / blocks) : -1;
    }
}
