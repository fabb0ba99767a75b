package io.pgstress.operation.check;

import io.pgstress.operation.UpdatedIds;
import io.pgstress.operation.Writes;
import io.pgstress.plan.sql.Quoting;
import io.pgstress.target.driver.TargetException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;

/**
 * Refuses a load whose every write would fail because the role lacks a privilege. Covers the table under load and its copy; the
 * user's own operations may change their role.
 */
final class WriteRights {
    private WriteRights() {}

    /** @throws TargetException with the missing grants of the first operation that lacks some */
    static void check(Connection control, List<Writes> all) throws SQLException {
        for (Writes writes : all) {
            if (writes.exclusive() || writes.touched() != UpdatedIds.NONE) {
                check(control, writes);
            }
        }
    }

    /** A privilege on some columns counts: whether those are enough is left to the statements. */
    private static void check(Connection control, Writes writes) throws SQLException {
        String word = writes.kind().word();
        String ofColumns =
                writes.kind() == Writes.Kind.DELETE ? "false" : "has_any_column_privilege(c.oid, '" + word + "')";
        String sql = String.format(
                Locale.ROOT,
                "select format('grant %1$s on %%s to %%I', c.oid::regclass, current_user)"
                        + " from pg_class c where c.oid = to_regclass(%2$s)"
                        + " and not (has_table_privilege(c.oid, '%1$s') or %3$s)",
                word,
                Quoting.literal(writes.table()),
                ofColumns);
        try (Statement statement = control.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            if (row.next()) {
                throw new TargetException(writes.operation() + ": the role may not " + word + " rows of "
                        + writes.table() + "; its owner must run: " + row.getString(1));
            }
        }
    }
}
