package io.pgstress.importer.table;

import io.pgstress.bson.key.KeyForm;
import io.pgstress.dataset.CopyMark;
import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * How the keys in a table's column of text are written, which later imports into it keep to: as they are, or all of them as canonical
 * JSON, which a comment on the column says. Belongs to one thread.
 */
final class TextForm {
    private static final String JSON = "canonical JSON";

    private final Connection connection;

    TextForm(Connection connection) {
        this.connection = connection;
    }

    /** The form of keys to come into a table that is there; one without rows takes that of the input. */
    KeyForm of(TableName table, KeyType type, KeyForm found) throws SQLException {
        if (type != KeyType.TEXT || !CopyMark.hasRows(connection, table)) {
            return KeyColumn.formOf(type, found);
        }
        return isJson(table) ? KeyForm.TEXT_OF_JSON : KeyForm.TEXT;
    }

    /** Keeps the form with the table. */
    void keep(TableName table, KeyForm form) throws SQLException {
        boolean json = form == KeyForm.TEXT_OF_JSON;
        if (json != isJson(table)) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(
                        "comment on column " + table.quoted() + "._id is " + (json ? "'" + JSON + "'" : "null"));
            }
        }
    }

    private boolean isJson(TableName table) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select col_description(attrelid, attnum) from pg_attribute"
                        + " where attrelid = to_regclass(" + table.literal() + ") and attname = '_id'")) {
            return row.next() && JSON.equals(row.getString(1));
        }
    }
}
