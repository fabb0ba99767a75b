package io.pgstress.importer.table;

import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.loop.Daemons;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The progress of a session that creates an index, as {@code pg_stat_progress_create_index} shows it from PostgreSQL 12 on.
 *
 * @param phase the server's name of the phase, such as {@code building index: scanning table}
 * @param share the completed share of the phase, 0 to 1; -1 if the server does not say
 */
public record IndexProgress(String phase, double share) {
    private static final int FIRST_VERSION = 12;

    private static final String QUERY = "select phase, blocks_done, blocks_total, tuples_done, tuples_total"
            + " from pg_stat_progress_create_index where pid = ";

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
        return ControlSql.first(observer, QUERY + pid, row -> new IndexProgress(row.getString(1), share(row)));
    }

    private static double share(ResultSet row) throws SQLException {
        double tuples = row.getDouble("tuples_total");
        double blocks = row.getDouble("blocks_total");
        if (tuples > 0) {
            return Math.min(1, row.getDouble("tuples_done") / tuples);
        }
        return blocks > 0 ? Math.min(1, row.getDouble("blocks_done") / blocks) : -1;
    }

    /**
     * Shows how far the server is with an index that a session creates, twice a second, by a connection of its own. A server that does
     * not show it, or refuses the connection, is not asked again. Citus shows nothing for distributed tables, because its workers create
     * their indexes. Thread-safe.
     */
    public static final class IndexWatch implements AutoCloseable {
        private static final long PERIOD_MILLIS = 500;

        private final Connector connector;
        private final int pid;
        private final String what;
        private final Consumer<String> to;
        private final CountDownLatch end = new CountDownLatch(1);

        private IndexWatch(Connector connector, int pid, String what, Consumer<String> to) {
            this.connector = connector;
            this.pid = pid;
            this.what = what;
            this.to = to;
        }

        /**
         * Starts to watch. It connects after the first period, so a short step costs nothing.
         *
         * @param creator the session that creates the index
         * @param what what is created, in words
         * @param to receives the words to show
         */
        public static IndexWatch start(Connector connector, Connection creator, String what, Consumer<String> to)
                throws SQLException {
            int pid = (int) ControlSql.number(creator, "select pg_backend_pid()");
            IndexWatch watch = new IndexWatch(connector, pid, what, to);
            Daemons.start("import-watch", watch::run);
            return watch;
        }

        private void run() {
            if (goesOn()) {
                try (Connection connection = connector.open(SessionPurpose.CONTROL)) {
                    while (IndexProgress.isShown(connection) && goesOn()) {
                        IndexProgress.of(connection, pid).map(this::words).ifPresent(this::show);
                    }
                } catch (SQLException e) {
                    return; // progress is an extra: the import itself reports what is wrong with the server
                }
            }
        }

        private String words(IndexProgress found) {
            String share = found.share() < 0 ? "" : String.format(Locale.ROOT, " %.0f%%", 100 * found.share());
            return what + ": " + found.phase() + share;
        }

        /** Shows nothing after the end. */
        private synchronized void show(String words) {
            if (end.getCount() > 0) {
                to.accept(words);
            }
        }

        /** Waits for the end of a period; whether the watch goes on after it. */
        private boolean goesOn() {
            try {
                return !end.await(PERIOD_MILLIS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        /** Ends the watch, without waiting for an answer that is due. */
        @Override
        public synchronized void close() {
            end.countDown();
        }
    }
}
