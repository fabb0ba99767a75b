package io.pgstress.importer.table;

import io.pgstress.dataset.CopyMark;
import io.pgstress.dataset.TableColumns;
import io.pgstress.importer.progress.LoadedChunks;
import io.pgstress.importer.progress.Progress;
import io.pgstress.importer.progress.ProgressTable;
import io.pgstress.plan.TableName;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.dialect.TableOptions;
import io.pgstress.target.driver.TargetException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** What is there before an import, and what becomes of it. Belongs to one thread. */
final class ExistingTable {
    private final Connection connection;
    private final Dialect dialect;
    private final TableRules rules;

    ExistingTable(Connection connection, Dialect dialect, TableRules rules) {
        this.connection = connection;
        this.dialect = dialect;
        this.rules = rules;
    }

    /** What stands against an import into this table. */
    List<String> problems(TableName name) throws SQLException {
        List<String> problems = new ArrayList<>();
        boolean there = TableColumns.exists(connection, name);
        if (there && !rules.resume()) {
            switch (rules.ifExists()) {
                case FAIL -> problems.add(exists(name));
                case APPEND, TRUNCATE -> {
                    if (!dialect.tables().options().equals(TableOptions.DEFAULT)) {
                        problems.add("--shards, --replication-factor: table " + name
                                + " exists and keeps its own: leave them out, or use --if-exists drop");
                    }
                }
                case DROP -> {}
            }
        }
        for (TableName beside : Route.of(name, rules).beside()) {
            if (TableColumns.exists(connection, beside) && !Route.isOfAnImport(connection, beside)) {
                problems.add("table " + beside + " exists, but not from an interrupted import of " + name
                        + ", which needs" + " that name for a table of its own; rename it or drop it");
            }
        }
        return problems;
    }

    private static String exists(TableName name) {
        return "table " + name
                + " exists: use --if-exists append, truncate or drop, or --resume to continue an interrupted"
                + " import of the same input";
    }

    /** Makes way for rows that are to come, and enters the input; all of it or nothing. */
    Progress clear(Route route, boolean there, long size, long chunkBytes) throws SQLException {
        if (there && rules.ifExists() == TableRules.IfExists.FAIL) {
            throw new TargetException(exists(route.target()));
        }
        boolean filled =
                there && rules.ifExists() == TableRules.IfExists.APPEND && CopyMark.hasRows(connection, route.target());
        connection.setAutoCommit(false);
        boolean cleared = false;
        try {
            for (TableName beside : route.beside()) {
                execute("drop table if exists " + beside.quoted());
                ProgressTable.forget(connection, beside);
            }
            boolean stays = there && settle(route.target());
            boolean made = rules.atomic() || !stays;
            ProgressTable.forget(connection, route.load());
            for (TableName beside : route.beside()) {
                if (!beside.equals(route.load())) {
                    ProgressTable.begin(connection, beside, Progress.reserved(size, chunkBytes));
                }
            }
            boolean temporary = !route.load().equals(route.target());
            boolean keyAfter = rules.keyAfter() && !route.isStaged() && made;
            Progress begun = Progress.begun(size, chunkBytes, temporary, keyAfter, filled);
            ProgressTable.begin(connection, route.load(), begun);
            connection.commit();
            cleared = true;
            return begun;
        } finally {
            if (!cleared) {
                connection.rollback();
            }
            connection.setAutoCommit(true);
        }
    }

    /** Does what was asked for an existing table; whether it is still there. An import of all or nothing does it in the end. */
    private boolean settle(TableName name) throws SQLException {
        boolean stays = rules.ifExists() != TableRules.IfExists.DROP;
        if (stays && CopyMark.isOn(connection, name)) {
            execute(CopyMark.removal(name)); // what is imported is no copy that may be emptied
        }
        if (!rules.atomic() && rules.ifExists() == TableRules.IfExists.TRUNCATE) {
            execute("truncate table " + name.quoted());
        } else if (!rules.atomic() && !stays) {
            execute("drop table " + name.quoted());
        }
        return stays;
    }

    /** @throws TargetException where a table whose rows were loaded is gone with them: to resume would leave them out */
    void requireWhatWasLoaded(Route route, Progress progress) throws SQLException {
        if (!LoadedChunks.any(connection, route.load())) {
            return;
        }
        require(route.table());
        if (progress.state() != Progress.State.MOVED) {
            require(route.load());
        }
    }

    private void require(TableName table) throws SQLException {
        if (!TableColumns.exists(connection, table)) {
            throw new TargetException(
                    "table " + table + " no longer exists, and with it the rows that were loaded: there is nothing to"
                            + " --resume, import without it");
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
