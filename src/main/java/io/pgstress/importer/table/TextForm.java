package io.pgstress.importer.table;

import io.pgstress.bson.json.KeyForm;
import io.pgstress.dataset.CopyMark;
import io.pgstress.dataset.TableColumns;
import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import io.pgstress.target.driver.ControlSql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The form of the keys in a text column, which later imports into the table keep: unchanged, or all as canonical JSON. A
 * comment on the column records the latter. Used by one thread.
 */
public final class TextForm {
    private static final String JSON = "canonical JSON";

    private final Connection connection;

    TextForm(Connection connection) {
        this.connection = connection;
    }

    /**
     * The form of the keys that the table holds.
     *
     * @throws io.pgstress.target.driver.TargetException if the table does not exist or is not {@code (_id, data jsonb)}
     */
    public static KeyForm stored(Connection connection, TableName table) throws SQLException {
        KeyType type = TableColumns.keyType(connection, table);
        boolean json = type == KeyType.TEXT && new TextForm(connection).isJson(table);
        return KeyColumn.formOf(type, json ? KeyForm.TEXT_OF_JSON : KeyForm.TEXT);
    }

    /** The form of new keys in an existing table; an empty table takes that of the input. */
    KeyForm of(TableName table, KeyType type, KeyForm found) throws SQLException {
        if (type != KeyType.TEXT || !CopyMark.hasRows(connection, table)) {
            return KeyColumn.formOf(type, found);
        }
        return isJson(table) ? KeyForm.TEXT_OF_JSON : KeyForm.TEXT;
    }

    /** Records the form in the table. */
    void keep(TableName table, KeyForm form) throws SQLException {
        boolean json = form == KeyForm.TEXT_OF_JSON;
        if (json != isJson(table)) {
            ControlSql.execute(
                    connection,
                    "comment on column " + table.quoted() + "._id is " + (json ? "'" + JSON + "'" : "null"));
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
