package io.pgstress.importer;

import io.pgstress.dataset.CopyMark;
import io.pgstress.dataset.TableColumns;
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
final class Ground {
    private final Connection connection;
    private final Dialect dialect;
    private final ImportOptions options;

    Ground(Connection connection, Dialect dialect, ImportOptions options) {
        this.connection = connection;
        this.dialect = dialect;
        this.options = options;
    }

    /** What stands against an import into this table. */
    List<String> problems(TableName name) throws SQLException {
        List<String> problems = new ArrayList<>();
        boolean there = TableColumns.exists(connection, name);
        if (there && !options.resume()) {
            switch (options.ifExists()) {
                case FAIL -> problems.add(exists(name));
                case APPEND, TRUNCATE -> {
                    if (!dialect.tables().options().equals(TableOptions.DEFAULT)) {
                        problems.add("--shards, --replication-factor: table " + name
                                + " is there and keeps what it has: leave them out, or --if-exists drop");
                    }
                }
                case DROP -> {}
            }
        }
        for (TableName beside : Route.of(name, options).beside()) {
            if (TableColumns.exists(connection, beside) && !Route.isOfAnImport(connection, beside)) {
                problems.add("table " + beside + " is there, of no import of " + name + " that was cut off: rows of it"
                        + " would wait in a table of that name; rename it or drop it");
            }
        }
        return problems;
    }

    private static String exists(TableName name) {
        return "table " + name
                + " exists: --if-exists append, truncate or drop, or --resume after an import of the very"
                + " same input that was cut off";
    }

    /** Makes way for rows that are to come, and enters the input; all of it or nothing. */
    void clear(Route route, boolean there, long size) throws SQLException {
        if (there && options.ifExists() == ImportOptions.IfExists.FAIL) {
            throw new TargetException(exists(route.target()));
        }
        boolean filled = there
                && options.ifExists() == ImportOptions.IfExists.APPEND
                && CopyMark.hasRows(connection, route.target());
        connection.setAutoCommit(false);
        boolean cleared = false;
        try {
            for (TableName beside : route.beside()) {
                execute("drop table if exists " + beside.quoted());
                ProgressTable.forget(connection, beside);
            }
            boolean stays = there && settle(route.target());
            boolean made = options.atomic() || !stays;
            ProgressTable.forget(connection, route.load());
            if (filled) {
                ProgressTable.enter(connection, route.load(), ProgressTable.FILLED, size, false);
            }
            for (TableName beside : route.beside()) {
                ProgressTable.enter(connection, beside, ProgressTable.BESIDE, size, false);
            }
            ProgressTable.enterInput(connection, route.load(), size, options.keyAfter() && !route.isStaged() && made);
            connection.commit();
            cleared = true;
        } finally {
            if (!cleared) {
                connection.rollback();
            }
            connection.setAutoCommit(true);
        }
    }

    /** Does what was asked for an existing table; whether it is still there. An import of all or nothing does it in the end. */
    private boolean settle(TableName name) throws SQLException {
        boolean stays = options.ifExists() != ImportOptions.IfExists.DROP;
        if (stays && CopyMark.isOn(connection, name)) {
            execute(CopyMark.removal(name)); // what is imported is no copy that may be emptied
        }
        if (!options.atomic() && options.ifExists() == ImportOptions.IfExists.TRUNCATE) {
            execute("truncate table " + name.quoted());
        } else if (!options.atomic() && !stays) {
            execute("drop table " + name.quoted());
        }
        return stays;
    }

    /** @throws TargetException where a table whose rows were loaded is gone with them: to resume would leave them out */
    void requireWhatWasLoaded(Route route) throws SQLException {
        if (!ProgressTable.hasChunks(connection, route.load())) {
            return;
        }
        boolean moved = ProgressTable.knows(connection, route.load(), ProgressTable.EMPTIED, 0);
        require(route.table());
        if (!moved) {
            require(route.load());
        }
    }

    private void require(TableName table) throws SQLException {
        if (!TableColumns.exists(connection, table)) {
            throw new TargetException(
                    "table " + table + " is gone, with rows that were loaded before: nothing is left to"
                            + " --resume, import without it");
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
