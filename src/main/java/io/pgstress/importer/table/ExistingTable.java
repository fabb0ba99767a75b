package io.pgstress.importer.table;

import io.pgstress.dataset.CopyTable.CopyMark;
import io.pgstress.dataset.RowSecurity;
import io.pgstress.dataset.TableColumns;
import io.pgstress.dataset.TableMark;
import io.pgstress.importer.table.Progress.InputMark;
import io.pgstress.importer.table.TableImport.Route;
import io.pgstress.plan.TableName;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.dialect.Tables.TableOptions;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.TargetException;
import io.pgstress.text.Counted;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Checks tables that exist before an import, and drops, truncates or keeps them. Used by one thread. */
record ExistingTable(Connection connection, Dialect dialect, TableRules rules, ProgressTables progress) {
    /** The problems that prevent an import into these tables. */
    List<String> problems(List<TableName> names) throws SQLException {
        List<String> problems = new ArrayList<>();
        List<TableName> existing = new ArrayList<>();
        for (TableName name : names) {
            if (rules.ifExists() == TableRules.IfExists.FAIL
                    && !rules.resume()
                    && TableColumns.exists(connection, name)) {
                existing.add(name);
            }
            problems.addAll(problems(name));
        }
        if (!existing.isEmpty()) {
            problems.add(exist(existing));
        }
        return problems;
    }

    private List<String> problems(TableName name) throws SQLException {
        List<String> problems = new ArrayList<>();
        boolean exists = TableColumns.exists(connection, name);
        if (exists && !rules.resume()) {
            switch (rules.ifExists()) {
                case FAIL -> {}
                case APPEND, TRUNCATE -> {
                    if (!dialect.tables().options().equals(TableOptions.DEFAULT)) {
                        problems.add(
                                "--shards, --replication-factor, --with: table " + name
                                        + " exists and keeps its distribution and storage: omit these options, or use --if-exists drop");
                    }
                }
                case DROP -> {}
            }
        }
        Route route = Route.of(name, rules);
        boolean stays = rules.resume() || rules.ifExists() != TableRules.IfExists.DROP;
        if (exists && stays && !route.isStaged() && RowSecurity.isActive(connection, name)) {
            problems.add("table " + name + " has row security policies that apply to role "
                    + RowSecurity.role(connection)
                    + ", and the server refuses COPY into such a table: import as its owner"
                    + " or a role with BYPASSRLS, or use --on-duplicate skip or replace, which inserts the rows");
        }
        // the table of an interrupted collection that happens to have such a name is not temporary
        if (route.isStaged()
                && TableColumns.exists(connection, route.load())
                && !progress.imports().isTemporary(connection, route.load())) {
            problems.add("table " + route.load() + " exists, but not from an interrupted import of " + name
                    + ", which needs this name; rename or drop that table");
        }
        return problems;
    }

    private static String exist(List<TableName> names) {
        String list = Counted.first(names.stream().map(TableName::toString).toList(), ", ");
        return (names.size() == 1 ? "table " + list + " exists" : "tables " + list + " exist")
                + "; use --if-exists append, truncate or drop, --schema for another place, or --resume to continue an"
                + " interrupted import of the same input";
    }

    /** Makes room for the new rows and records the input, in one transaction. */
    Progress clear(Route route, boolean exists, InputMark input, long chunkBytes, String values) throws SQLException {
        if (exists && rules.ifExists() == TableRules.IfExists.FAIL) {
            throw new TargetException(exist(List.of(route.target())));
        }
        boolean filled = exists
                && rules.ifExists() == TableRules.IfExists.APPEND
                && CopyMark.hasRows(connection, route.target());
        long before = !filled
                ? 0
                : rules.verify()
                        ? ControlSql.number(
                                connection,
                                "select count(*) from " + route.target().quoted())
                        : -1;
        boolean stays = exists && rules.ifExists() != TableRules.IfExists.DROP;
        boolean keyAfter = rules.keyAfter() && !route.isStaged() && !stays;
        Progress begun = Progress.begun(input, chunkBytes, route.isStaged(), keyAfter, before, values);
        ProgressTable imports = progress.imports();
        ControlSql.inTransaction(connection, () -> {
            if (route.isStaged()) {
                ControlSql.execute(
                        connection, "drop table if exists " + route.load().quoted());
            }
            if (exists) {
                settle(route.target());
            }
            imports.forget(connection, route.load());
            imports.begin(connection, route.load(), begun);
        });
        return begun;
    }

    /** Applies {@code --if-exists}. */
    private void settle(TableName name) throws SQLException {
        boolean stays = rules.ifExists() != TableRules.IfExists.DROP;
        if (stays && CopyMark.isOn(connection, name)) {
            ControlSql.execute(
                    connection, TableMark.removal(name)); // an imported table is not a copy that may be emptied
        }
        if (!stays) {
            ControlSql.execute(connection, "drop table " + name.quoted());
        } else if (rules.ifExists() == TableRules.IfExists.TRUNCATE) {
            ControlSql.execute(connection, "truncate table " + name.quoted());
        }
    }

    /** @throws TargetException if a table was dropped after rows were loaded, because resuming would lose them */
    void requireLoadedRows(Route route, Progress earlier) throws SQLException {
        if (!progress.chunks().any(connection, route.load())) {
            return;
        }
        require(route.target());
        if (earlier.state() != Progress.State.MOVED) {
            require(route.load());
        }
    }

    private void require(TableName table) throws SQLException {
        if (!TableColumns.exists(connection, table)) {
            throw new TargetException("table " + table
                    + " no longer exists, nor do the rows that were loaded: there is nothing to resume;"
                    + " import without --resume");
        }
    }
}
