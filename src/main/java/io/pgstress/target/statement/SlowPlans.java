package io.pgstress.target.statement;

import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.ServerErrors;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The plans of the slowest statements, which the server's module {@code auto_explain} sends to the session as notices. Sessions load it; a
 * threshold, set when the measurement starts, decides which statements are reported. Thread-safe.
 */
public final class SlowPlans {
    private static final int MAX_KEPT = 5;

    /** Documents are long. */
    private static final int MAX_LINE = 200;

    /** {@code duration: 12.345 ms  plan:}, in any language of the server's messages. */
    private static final Pattern DURATION = Pattern.compile("(\\d+)[.,](\\d{3}) ms");

    private static final String MIN_DURATION = "auto_explain.log_min_duration";
    private static final String IS_LOADED = "select 1 from pg_settings where name = '" + MIN_DURATION + "'";

    /** Counting rows and buffers is cheap; timing each node of a plan is not. */
    private static final String[] SETTINGS = {
        "set auto_explain.log_analyze = on",
        "set auto_explain.log_timing = off",
        "set auto_explain.log_buffers = on",
        "set auto_explain.log_level = notice",
        "set client_min_messages = notice",
    };

    /**
     * A statement and its plan.
     *
     * @param micros its duration on the server
     * @param plan lines, beginning with the statement's text
     */
    public record SlowPlan(double micros, List<String> plan) {}

    private final PriorityQueue<SlowPlan> slowest = new PriorityQueue<>(Comparator.comparingDouble(SlowPlan::micros));
    private volatile long minMillis = -1;

    /** Reports statements that take at least this many milliseconds from now on; -1: none. */
    public void setMinMillis(long millis) {
        minMillis = millis;
    }

    /** The threshold in milliseconds; -1: none. */
    public long minMillis() {
        return minMillis;
    }

    /** The slowest statements, the slowest first. */
    public synchronized List<SlowPlan> slowest() {
        return slowest.stream()
                .sorted(Comparator.comparingDouble(SlowPlan::micros).reversed())
                .toList();
    }

    /** Keeps the plan of a notice if it is one of the slowest. */
    void add(@Nullable SQLWarning notices) {
        for (SQLWarning notice = notices; notice != null; notice = notice.getNextWarning()) {
            List<String> lines = String.valueOf(notice.getMessage()).lines().toList();
            Matcher duration = DURATION.matcher(lines.isEmpty() ? "" : lines.get(0));
            if (lines.size() > 1 && duration.find()) {
                keep(new SlowPlan(
                        Long.parseLong(duration.group(1) + duration.group(2)),
                        lines.stream().skip(1).map(SlowPlans::shortened).toList()));
            }
        }
    }

    private static String shortened(String line) {
        return line.length() <= MAX_LINE ? line : line.substring(0, MAX_LINE) + " ...";
    }

    private synchronized void keep(SlowPlan plan) {
        slowest.add(plan);
        if (slowest.size() > MAX_KEPT) {
            slowest.remove();
        }
    }

    /** A session that reports plans. Belongs to its client's thread. */
    public final class Session {
        private long current = -1;

        /**
         * Loads the module in a new session.
         *
         * @throws SQLException with advice if the server has no such module, or the role may not use it
         */
        public void open(Connection connection) throws SQLException {
            try {
                if (!ControlSql.exists(connection, IS_LOADED)) {
                    ControlSql.execute(connection, "load 'auto_explain'");
                }
                ControlSql.execute(connection, SETTINGS);
                set(connection, minMillis);
            } catch (SQLException e) {
                String advice = ServerErrors.sessionIsAlive(e)
                        ? "--explain-slow needs auto_explain and a superuser's role: "
                        : "";
                throw new SQLException(advice + e.getMessage(), e.getSQLState(), e);
            }
        }

        /** Sets the threshold in the session if it has changed; called between operations. */
        public void follow(Connection connection) throws SQLException {
            long wanted = minMillis;
            if (wanted != current) {
                set(connection, wanted);
            }
        }

        private void set(Connection connection, long millis) throws SQLException {
            ControlSql.execute(connection, "set " + MIN_DURATION + " = " + millis);
            if (!connection.getAutoCommit()) {
                connection.commit(); // otherwise an operation that fails would roll it back
            }
            current = millis;
        }
    }
}
