package io.pgstress.probe.server;

import io.pgstress.result.RemarkCode;
import io.pgstress.target.driver.ControlSql;
import java.sql.Connection;
import java.sql.SQLException;

/** The view {@code pg_stat_statements}, whose schema need not be in the search path. */
final class StatementsView {
    private static final String NAME = "pg_stat_statements";

    private static final String QUALIFIED = "select format('%I." + NAME + "', nspname)"
            + " from pg_extension e join pg_namespace n on n.oid = e.extnamespace where extname = '" + NAME + "'";

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

    /** Its name as SQL; without a schema if the extension is missing in this database. */
    static String name(Connection connection) throws SQLException {
        return ControlSql.text(connection, QUALIFIED).orElse(NAME);
    }
}
