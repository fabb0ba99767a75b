package io.pgstress.importer;

import io.pgstress.importer.ImportOptions.OnDuplicate;
import java.sql.SQLException;
import java.sql.Statement;

/** Rows of another table, each _id once, that go into one where some may be already. */
final class Winners {
    private final String table;
    private final String rows;
    private final boolean onConflict;

    /**
     * @param table quoted
     * @param rows a query of {@code _id, data}
     * @param onConflict whether the server has ON CONFLICT
     */
    Winners(String table, String rows, boolean onConflict) {
        this.table = table;
        this.rows = rows;
        this.onConflict = onConflict;
    }

    /** Moves them; how many went in or took another's place. */
    long move(Statement statement, OnDuplicate how) throws SQLException {
        String insert = "insert into " + table + " (_id, data) ";
        if (how == OnDuplicate.FAIL) {
            return statement.executeLargeUpdate(insert + rows);
        }
        boolean replace = how == OnDuplicate.REPLACE;
        if (onConflict) {
            return statement.executeLargeUpdate(insert
                    + rows
                    + (replace ? " on conflict (_id) do update set data = excluded.data" : " on conflict do nothing"));
        }
        long replaced = replace
                ? statement.executeLargeUpdate(
                        "update " + table + " t set data = w.data from (" + rows + ") w where t._id = w._id")
                : 0;
        return replaced
                + statement.executeLargeUpdate(insert + "select _id, data from (" + rows
                        + ") w where not exists (select 1 from " + table + " t where t._id = w._id)");
    }
}
