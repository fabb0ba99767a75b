package io.pgstress.importer.table;

import io.pgstress.dataset.CopyMark;
import io.pgstress.dataset.TableColumns;
import io.pgstress.importer.progress.ProgressTable;
import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.driver.TargetException;
import java.sql.Connection;
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
     * Makes it where there is none; one that is left of a table with keys of another type makes way if it is marked as made here, and empty.
     *
     * @return what is wrong with the one that is there; empty where nothing is
     */
    String make(TableName target, KeyType keyType) throws SQLException {
        TableName copy = target.copy();
        if (TableColumns.exists(connection, copy)) {
            boolean ours = CopyMark.isOn(connection, copy);
            if (!ours && ProgressTable.of(connection, copy) != null) {
                return ""; // a collection of that name
            }
            if (fits(copy, keyType)) {
                claim(copy, ours);
                return "";
            }
            boolean rows = CopyMark.hasRows(connection, copy);
            if (!ours || rows) {
                return "table " + copy + " is there " + (rows ? "with rows " : "") + "and is not like " + target
                        + ": drop it, and create it like the other";
            }
            execute("drop table " + copy.quoted());
        }
        for (String sql : dialect.tables().createLike(copy, target, keyType)) {
            execute(sql);
        }
        execute(CopyMark.sql(copy));
        return "";
    }

    private boolean fits(TableName copy, KeyType keyType) throws SQLException {
        try {
            return TableColumns.keyType(connection, copy) == keyType;
        } catch (TargetException e) {
            return false; // of another structure altogether
        }
    }

    /** An empty one is taken; one with rows is left to its owner, and operations will not empty it. */
    private void claim(TableName copy, boolean ours) throws SQLException {
        if (!ours && !CopyMark.hasRows(connection, copy)) {
            execute(CopyMark.sql(copy));
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
