package io.pgstress.importer.table;

import io.pgstress.bson.json.KeyForm;
import io.pgstress.dataset.CopyTable.CopyMark;
import io.pgstress.dataset.TableColumns;
import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.text.Quoting;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The forms of keys in tables, and new tables for keys that are not all known yet. Keys in a text column are unchanged, or all
 * canonical JSON, which a comment on the column records; later imports into the table keep it. Used by one thread.
 *
 * @param type the type of keys in new tables; null for one that fits them
 */
public record TableForms(
        Connection connection, Dialect dialect, @Nullable KeyType type) {
    private static final String JSON = "canonical JSON";

    /** The form of new keys in a table that exists, which it records; {@code found} fits them all. */
    public KeyForm of(TableName table, KeyForm found) throws SQLException {
        KeyForm form = ofExisting(connection, table, found);
        keep(connection, table, form);
        return form;
    }

    /** Creates a table with a primary key; returns the form of its keys. */
    public KeyForm create(TableName table, KeyForm found) throws SQLException {
        KeyForm form = ofNew(found);
        create(table, form, true);
        keep(connection, table, form);
        return form;
    }

    /** The form of keys in a new table; {@code found} fits them all. */
    KeyForm ofNew(KeyForm found) {
        return type == null ? found : formOf(type, found);
    }

    /** Creates a table, with its schema if that is missing. */
    void create(TableName table, KeyForm form, boolean withKey) throws SQLException {
        if (!table.schema().isEmpty()) {
            ControlSql.execute(connection, "create schema if not exists " + Quoting.identifier(table.schema()));
        }
        for (String sql : dialect.tables().create(table, typeOf(form), withKey)) {
            ControlSql.execute(connection, sql);
        }
    }

    /** The type of the column {@code _id} for keys of this form. */
    static KeyType typeOf(KeyForm form) {
        return form == KeyForm.TEXT_OF_JSON ? KeyType.TEXT : KeyType.valueOf(form.name());
    }

    /** The form of keys in a column of this type; for text it depends on the kinds of keys in the input. */
    private static KeyForm formOf(KeyType type, KeyForm found) {
        return type == KeyType.TEXT && found == KeyForm.TEXT_OF_JSON ? found : KeyForm.valueOf(type.name());
    }

    /**
     * The form of the keys that the table holds.
     *
     * @throws io.pgstress.target.driver.TargetException if the table does not exist or is not {@code (_id, data jsonb)}
     */
    public static KeyForm stored(Connection connection, TableName table) throws SQLException {
        KeyType type = TableColumns.keyType(connection, table);
        boolean json = type == KeyType.TEXT && isJson(connection, table);
        return formOf(type, json ? KeyForm.TEXT_OF_JSON : KeyForm.TEXT);
    }

    /** The form of new keys in an existing table; an empty table takes that of the input. */
    static KeyForm ofExisting(Connection connection, TableName table, KeyForm found) throws SQLException {
        KeyType type = TableColumns.keyType(connection, table);
        if (type != KeyType.TEXT || !CopyMark.hasRows(connection, table)) {
            return formOf(type, found);
        }
        return isJson(connection, table) ? KeyForm.TEXT_OF_JSON : KeyForm.TEXT;
    }

    /** Records the form in the table. */
    static void keep(Connection connection, TableName table, KeyForm form) throws SQLException {
        boolean json = form == KeyForm.TEXT_OF_JSON;
        if (json != isJson(connection, table)) {
            ControlSql.execute(
                    connection,
                    "comment on column " + table.quoted() + "._id is " + (json ? "'" + JSON + "'" : "null"));
        }
    }

    private static boolean isJson(Connection connection, TableName table) throws SQLException {
        String comment = "select col_description(attrelid, attnum) from pg_attribute where attrelid = to_regclass("
                + table.literal() + ") and attname = '_id'";
        return ControlSql.text(connection, comment).filter(JSON::equals).isPresent();
    }
}
