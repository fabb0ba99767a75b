package io.pgstress.probe.server;

import io.pgstress.result.RemarkCode;
import io.pgstress.target.driver.ControlSql;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The view {@code pg_stat_statements}, whose schema need not be in the search path. */
final class StatementsView {
    private static final String NAME = "pg_stat_statements";

    private static final String QUALIFIED = "select format('%I." + NAME + "', nspname)"
            + " from pg_extension e join pg_namespace n on n.oid = e.extnamespace where extname = '" + NAME + "'";

    /** The view about the entries, which version 1.9 of the extension brought (PostgreSQL 14); a database may still have an older one. */
    private static final String INFO = "select format('%I." + NAME + "_info', nspname)"
            + " from pg_extension e join pg_namespace n on n.oid = e.extnamespace"
            + " join pg_class c on c.relnamespace = n.oid and c.relname = '" + NAME + "_info'"
            + " where extname = '" + NAME + "'";

    private static final String UNTRACKED =
            "select setting from pg_settings where name = '" + NAME + ".track' and setting = 'none'";

    /**
     * What became of the entries so far.
     *
     * @param resetAt when all of them were removed; null if the server does not tell
     * @param drops how often it dropped rarely used ones to make room; null if it does not tell
     * @param isNearlyFull whether it has dropped some or will soon; false if it tells the drops
     */
    record Losses(@Nullable String resetAt, @Nullable Long drops, boolean isNearlyFull) {
        /** Whether all entries were removed since then; false if unknown. */
        boolean wereAllResetSince(Losses before) {
            return resetAt != null && before.resetAt != null && !resetAt.equals(before.resetAt);
        }

        /** Whether some may have been dropped since then to make room. */
        boolean mayHaveDroppedSince(Losses before) {
            if (drops == null || before.drops == null) {
                return isNearlyFull;
            }
            return !drops.equals(before.drops);
        }
    }

    private StatementsView() {}

    /** Adds a note about a failure to read it, with what makes it available if that is known. */
    static void failed(ServerLink link, SQLException failure) {
        String remedy = switch (String.valueOf(failure.getSQLState())) {
            case "42P01" -> "run CREATE EXTENSION pg_stat_statements"; // undefined_table
            case "55000" -> // object_not_in_prerequisite_state
                "add pg_stat_statements to shared_preload_libraries, and restart the server";
            default -> "";
        };
        if (remedy.isEmpty()) {
            link.failed(NAME, failure);
        } else {
            link.noteOfNode(RemarkCode.STATEMENTS_UNAVAILABLE
                    .with("servers", link.name())
                    .with("remedy", remedy)
                    .remark());
        }
    }

    /** Whether the server counts statements at all; adds a note if it does not: it then has no entry of the run. */
    static boolean isTracking(ServerLink link) throws SQLException {
        boolean isOff = ControlSql.exists(link.open(), UNTRACKED);
        if (isOff) {
            link.noteOfNode(RemarkCode.STATEMENTS_UNAVAILABLE
                    .with("servers", link.name())
                    .with("remedy", "set pg_stat_statements.track = top")
                    .remark());
        }
        return !isOff;
    }

    /** Its name as SQL; without a schema if the extension is missing in this database. */
    static String name(Connection connection) throws SQLException {
        return ControlSql.text(connection, QUALIFIED).orElse(NAME);
    }

    /** What became of its entries. */
    static Losses losses(Connection connection) throws SQLException {
        String info = ControlSql.text(connection, INFO).orElse("");
        return info.isEmpty()
                ? new Losses(
                        null,
                        null,
                        ControlSql.holds(
                                connection,
                                "select count(*) > 0.9 * current_setting('pg_stat_statements.max')::int from "
                                        + name(connection)))
                : ControlSql.first(
                                connection,
                                "select stats_reset::text, dealloc from " + info,
                                row -> new Losses(row.getString(1), row.getLong(2), false))
                        .orElseThrow();
    }
}
