package io.pgstress.importer.table;

import io.pgstress.bson.json.KeyForm;
import io.pgstress.dataset.TableColumns;
import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import io.pgstress.plan.sql.Quoting;
import io.pgstress.target.dialect.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** The forms of keys in tables, and new tables for keys that are not all known yet. Used by one thread. */
public final class TableForms {
    private final Connection connection;
    private final Dialect dialect;
    private final @Nullable KeyType type;
    private final TextForm textForm;

    /** @param type the type of keys in new tables; null for one that fits them */
    public TableForms(Connection connection, Dialect dialect, @Nullable KeyType type) {
        this.connection = connection;
        this.dialect = dialect;
        this.type = type;
        this.textForm = new TextForm(connection);
    }

    /** The form of new keys in a table that exists; {@code found} fits them all. */
    public KeyForm of(TableName table, KeyForm found) throws SQLException {
        KeyForm form = textForm.of(table, TableColumns.keyType(connection, table), found);
        textForm.keep(table, form);
        return form;
    }

    /** Creates a table with a primary key; returns the form of its keys. */
    public KeyForm create(TableName table, KeyForm found) throws SQLException {
        KeyForm form = type == null ? found : KeyColumn.formOf(type, found);
        try (Statement statement = connection.createStatement()) {
            if (!table.schema().isEmpty()) {
                statement.execute("create schema if not exists " + Quoting.identifier(table.schema()));
            }
            for (String sql : dialect.tables().create(table, KeyColumn.typeOf(form), true)) {
                statement.execute(sql);
            }
        }
        textForm.keep(table, form);
        return form;
    }
}
