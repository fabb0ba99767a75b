package io.pgstress.importer.table;

import io.pgstress.bson.copy.FieldType;
import io.pgstress.importer.table.ServerName.FreeNames;
import io.pgstress.plan.TableName;
import io.pgstress.plan.sql.Quoting;
import io.pgstress.target.driver.ServerErrors;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Creates the indexes on typed columns: B-trees, and GIN for jsonb. Used by one thread. */
public final class ColumnIndexes {
    private final Connection connection;
    private final FreeNames names;

    public ColumnIndexes(Connection connection) {
        this.connection = connection;
        this.names = new FreeNames(connection);
    }

    /** Creates those that are missing; returns why one could not be created, or an empty string. */
    public String create(TableName table, TypedColumns columns) throws SQLException {
        List<String> faults = new ArrayList<>();
        for (ColumnSpec column : columns.all()) {
            if (column.indexed() && !isIndexed(table, column.name())) {
                try (Statement statement = connection.createStatement()) {
                    statement.execute(sql(table, column));
                } catch (SQLException e) {
                    if (!ServerErrors.sessionIsAlive(e)
                            || ServerErrors.stateOf(e).startsWith("57")) {
                        throw e;
                    }
                    faults.add("no index on column " + column.name() + ": " + ServerErrors.sampleOf(e) + " (SQLSTATE "
                            + ServerErrors.stateOf(e) + ")");
                }
            }
        }
        return String.join("; ", faults);
    }

    /** Whether an index on all rows begins with the column. */
    private boolean isIndexed(TableName table, String column) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("select 1 from pg_index i join pg_attribute a on"
                + " a.attrelid = i.indrelid and a.attnum = i.indkey[0] where i.indrelid = to_regclass("
                + table.literal() + ") and i.indisvalid and i.indpred is null and a.attname = ?")) {
            select.setString(1, column);
            try (ResultSet row = select.executeQuery()) {
                return row.next();
            }
        }
    }

    /** With a name, because Citus needs one. */
    private String sql(TableName table, ColumnSpec column) throws SQLException {
        String wanted = table.name() + "_" + column.name() + "_idx";
        String name = names.of(new TableName(table.schema(), wanted), taken -> false);
        boolean gin = column.type() == FieldType.JSONB;
        return "create index "
                + Quoting.identifier(name) + " on " + table.quoted()
                + (gin ? " using gin (" + column.quoted() + " jsonb_path_ops)" : " (" + column.quoted() + ")");
    }
}
