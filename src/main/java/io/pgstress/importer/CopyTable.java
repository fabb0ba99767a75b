package io.pgstress.importer;

import io.pgstress.dataset.TableColumns;
import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import io.pgstress.target.TargetException;
import io.pgstress.target.dialect.Dialect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The empty table of the same structure beside a table. Belongs to one thread. */
final class CopyTable {
    private final Connection connection;
    private final Dialect dialect;

    CopyTable(Connection connection, Dialect dialect) {
        this.connection = connection;
        this.dialect = dialect;
    }

    /**
     * Makes it where there is none; one that is left of a table with keys of another type makes way if it is empty.
     *
     * @return what is wrong with the one that is there; empty where nothing is
     */
    String make(TableName target, KeyType keyType) throws SQLException {
        TableName copy = target.copy();
        if (TableColumns.exists(connection, copy)) {
            if (fits(copy, keyType)) {
                return "";
            }
            if (hasRows(copy)) {
                return "table " + copy + " is there with rows and is not like " + target
                        + ": drop it, and create it like the other";
            }
            execute("drop table " + copy.quoted());
        }
        for (String sql : dialect.createLike(copy, target, keyType)) {
            execute(sql);
        }
        return "";
    }

    private boolean fits(TableName copy, KeyType keyType) throws SQLException {
        try {
            return TableColumns.keyType(connection, copy) == keyType;
        } catch (TargetException e) {
            return false; // of another structure altogether
        }
    }

    private boolean hasRows(TableName copy) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select 1 from " + copy.quoted() + " limit 1")) {
            return rows.next();
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
