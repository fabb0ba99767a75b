package io.pgstress.importer.table;

import io.pgstress.bson.json.KeyForm;
import io.pgstress.dataset.TableColumns;
import io.pgstress.importer.table.TableRules.IfExists;
import io.pgstress.plan.TableName;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.text.Counted;
import io.pgstress.text.Quoting;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;

/**
 * Ends an atomic import, whose rows are in temporary tables: these either replace their targets, all in one transaction, or are
 * dropped. Used by one thread.
 *
 * @param countsRows see {@link DuplicateMerge}
 */
public record AllOrNothing(
        Connection connection, TableRules rules, ProgressTable progress, long maxRejects, boolean countsRows) {
    /**
     * Ends the import; tables that an earlier import already put in place stay.
     *
     * @param fault why a collection was not started; empty if all were
     * @return whether everything was imported; if not, every table records why
     */
    public boolean end(List<TableImport> all, String fault) throws SQLException {
        List<TableImport> tables = all.stream().filter(t -> !t.isDone()).toList();
        if (tables.isEmpty()) {
            return true;
        }
        String why = fault.isEmpty() ? reasonToUndo(tables) : fault;
        if (why.isEmpty()) {
            try {
                inOneTransaction(tables, true);
                return true;
            } catch (SQLException e) {
                if (!CopyErrors.isOfTheData(e)) {
                    throw e;
                }
                why = ServerErrors.sampleOf(e) + " (SQLSTATE " + ServerErrors.stateOf(e) + ")";
            }
        }
        inOneTransaction(tables, false);
        for (TableImport table : tables) {
            table.undone(why);
        }
        return false;
    }

    /** Why the import must be undone; empty if it need not be. */
    private String reasonToUndo(List<TableImport> tables) {
        for (TableImport table : tables) {
            if (table.hasFailed()) {
                return table.route().target() + " was not imported completely";
            }
        }
        long rejected = tables.stream().mapToLong(TableImport::rejected).sum();
        return rejected <= maxRejects
                ? ""
                : String.format(
                        Locale.ROOT, "%s, more than --max-rejects %,d", Counted.of(rejected, "reject"), maxRejects);
    }

    private void inOneTransaction(List<TableImport> tables, boolean all) throws SQLException {
        List<TableName> loads = tables.stream().map(TableImport::loadTable).toList();
        ControlSql.inTransaction(connection, () -> {
            for (TableImport table : tables) {
                if (!table.route().table().equals(table.loadTable())) {
                    progress.forget(connection, table.route().table());
                }
                if (all) {
                    replace(table);
                } else {
                    drop(table.route().table());
                    drop(table.route().load());
                    progress.forget(connection, table.loadTable());
                }
            }
            if (all) {
                progress.complete(connection, loads);
            }
        });
    }

    private void drop(TableName table) throws SQLException {
        ControlSql.execute(connection, "drop table if exists " + table.quoted());
    }

    private void replace(TableImport table) throws SQLException {
        TableName target = table.route().target();
        TableName loaded = table.route().table();
        boolean exists = TableColumns.exists(connection, target);
        if (exists && (rules.ifExists() == IfExists.APPEND || rules.ifExists() == IfExists.TRUNCATE)) {
            if (rules.ifExists() == IfExists.TRUNCATE) {
                ControlSql.execute(connection, "truncate table " + target.quoted());
            }
            append(table, target.quoted(), loaded.quoted());
            if (table.form() == KeyForm.TEXT_OF_JSON) {
                TableForms.keep(connection, target, table.form());
            }
            drop(loaded);
            return;
        }
        if (rules.ifExists() == IfExists.DROP) {
            drop(target);
        }
        ControlSql.execute(
                connection, "alter table " + loaded.quoted() + " rename to " + Quoting.identifier(target.name()));
    }

    private void append(TableImport table, String target, String loaded) throws SQLException {
        long rows = ControlSql.number(connection, "select count(*) from " + loaded);
        try (Statement statement = connection.createStatement()) {
            long moved = new DuplicateMerge(target, "select _id, data from " + loaded, countsRows)
                    .move(statement, rules.onDuplicate());
            table.moved(rows, moved);
        }
    }
}
