package io.pgstress.importer;

import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.bson.key.KeyForm;
import io.pgstress.dataset.TableColumns;
import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import io.pgstress.target.TargetException;
import io.pgstress.target.dialect.Dialect;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Makes the tables of an import, and what remains to be made after the rows. */
final class TableMaker {
    private final Connection connection;
    private final Dialect dialect;
    private final ImportOptions options;
    private final Staging staging;

    TableMaker(Connection connection, Dialect dialect, ImportOptions options) {
        this.connection = connection;
        this.dialect = dialect;
        this.options = options;
        this.staging = new Staging(connection, options);
    }

    /** Tells whatever stands against these tables, before any of them is touched. */
    void check(List<TableName> names, List<String> problems) throws SQLException {
        List<String> all = new ArrayList<>(problems);
        for (TableName name : names) {
            if (!options.resume()
                    && options.ifExists() == ImportOptions.IfExists.FAIL
                    && TableColumns.exists(connection, name)) {
                all.add(exists(name));
            }
        }
        if (!all.isEmpty()) {
            throw new TargetException(String.join("; ", all));
        }
    }

    /** Brings the table of a collection into the state in which rows can come. */
    TableImport prepare(DumpCollection collection, TableName name, KeyForm found) throws SQLException, IOException {
        Route route = Route.of(name, options);
        long size = collection.bytes();
        boolean there = TableColumns.exists(connection, name);
        boolean done = there && options.resume() && isDone(route.load(), size);
        boolean resumed =
                done || (options.resume() && ProgressTable.knows(connection, route.load(), ProgressTable.INPUT, size));
        TableName table = done ? name : route.table();
        boolean exists = resumed ? TableColumns.exists(connection, table) : begin(route, there);
        boolean after = options.keyAfter() && !route.isStaged() && !exists;
        if (!resumed) {
            ProgressTable.forget(connection, route.load());
            ProgressTable.enterInput(connection, route.load(), size, after);
        } else if (exists) {
            after = ProgressTable.knows(connection, route.load(), ProgressTable.KEY_AFTER, size) && !hasKey(table);
        }
        boolean typed = exists || (there && options.ifExists() != ImportOptions.IfExists.DROP);
        KeyForm form = options.keyType() == null ? found : formOf(options.keyType(), found);
        if (typed) {
            form = formOf(TableColumns.keyType(connection, exists ? table : name), found);
        }
        if (!exists) {
            create(table, typeOf(form), after);
        }
        if (route.isStaged() && !done) {
            staging.make(route.load(), table, resumed);
        }
        RejectFile rejects = new RejectFile(options.rejectDirectory(), name.toString(), resumed);
        TableImport made = new TableImport(collection, route, form, typeOf(form), after, rejects);
        if (done) {
            made.done();
        } else if (options.verify()) {
            new Verifier(connection).begin(made, exists, resumed);
        }
        return made;
    }

    /** Makes way for rows that are to come; whether the table that they come into is there. */
    private boolean begin(Route route, boolean there) throws SQLException {
        if (!options.atomic()) {
            return there && settle(route.target());
        }
        if (there && options.ifExists() == ImportOptions.IfExists.FAIL) {
            throw new TargetException(exists(route.target()));
        }
        execute("drop table if exists " + route.table().quoted());
        return false;
    }

    /** Whether the column of keys is there and stays, and is of a type that has but one form. */
    boolean isKeySettled(TableName name) throws SQLException {
        boolean stays = options.resume() || options.ifExists() != ImportOptions.IfExists.DROP;
        return stays && TableColumns.exists(connection, name) && TableColumns.keyType(connection, name) != KeyType.TEXT;
    }

    /** Whether this very input was imported as a whole already. */
    private boolean isDone(TableName load, long size) throws SQLException {
        boolean done = ProgressTable.knows(connection, load, ProgressTable.DONE, size);
        if (done && size < 0) {
            throw new TargetException(
                    "the import into " + load + " is complete, there is nothing to --resume; whether this"
                            + " stream is the same cannot be told");
        }
        return done;
    }

    /** Does what was asked for an existing table; whether it is still there. */
    private boolean settle(TableName name) throws SQLException {
        switch (options.ifExists()) {
            case FAIL -> throw new TargetException(exists(name));
            case TRUNCATE -> execute("truncate table " + name.quoted());
            case DROP -> {
                execute("drop table " + name.quoted());
                return false;
            }
            case APPEND -> {
                return true;
            }
        }
        return true;
    }

    private static String exists(TableName name) {
        return "table " + name
                + " exists: --if-exists append, truncate or drop, or --resume after an import of the very"
                + " same input that was cut off";
    }

    private void create(TableName name, KeyType type, boolean keyAfter) throws SQLException {
        if (!name.schema().isEmpty()) {
            execute("create schema if not exists " + TableName.quote(name.schema()));
        }
        for (String sql : dialect.createTable(name, type)) {
            execute(keyAfter ? sql.replace(" primary key,", ",") : sql);
        }
    }

    private boolean hasKey(TableName name) throws SQLException {
        try (var select = connection.prepareStatement(
                "select count(*) from pg_index where indrelid = to_regclass(?) and indisprimary")) {
            select.setString(1, name.quoted());
            try (var row = select.executeQuery()) {
                row.next();
                return row.getInt(1) > 0;
            }
        }
    }

    /** Moves staged rows and makes the key. What was done before is not done twice. */
    void finish(TableImport table) throws SQLException {
        if (table.isDone()) {
            return;
        }
        if (table.isStaged()) {
            staging.move(table);
        }
        if (table.keyIsMissing()) {
            addKey(table.table());
        }
    }

    /** Makes the copy table, where there is none, and the statistics. */
    void complete(TableImport table) throws SQLException {
        TableName target = table.route().target();
        TableName copy = target.copy();
        if (!TableColumns.exists(connection, copy)) {
            for (String sql : dialect.createLike(copy, target, table.keyType())) {
                execute(sql);
            }
        }
        execute("analyze " + target.quoted());
    }

    private void addKey(TableName name) throws SQLException {
        try {
            execute("alter table " + name.quoted() + " add primary key (_id)");
        } catch (SQLException e) {
            if ("23505".equals(e.getSQLState()) && options.atomic()) {
                throw new TargetException("an _id is there more than once: " + detail(e), e);
            }
            if ("23505".equals(e.getSQLState())) {
                throw new TargetException(
                        "all rows are in table " + name
                                + ", but it has no primary key, as an _id is there more than once: "
                                + detail(e)
                                + "; delete the rows that are too many and let --resume make the key, or import"
                                + " again with --if-exists drop and --on-duplicate skip or replace",
                        e);
            }
            throw e;
        }
    }

    private static String detail(SQLException e) {
        return String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
    }

    long bytes(TableName name) throws SQLException {
        return number(dialect.totalBytes(name));
    }

    long indexBytes(TableName name) throws SQLException {
        return number(dialect.indexBytes(name));
    }

    private long number(String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                var row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static KeyType typeOf(KeyForm form) {
        return switch (form) {
            case INT -> KeyType.INT;
            case BIGINT -> KeyType.BIGINT;
            case NUMERIC -> KeyType.NUMERIC;
            case UUID -> KeyType.UUID;
            case TIMESTAMPTZ -> KeyType.TIMESTAMPTZ;
            case TEXT, TEXT_OF_JSON -> KeyType.TEXT;
        };
    }

    /** How keys are written into a column of this type: text takes them as the input's kinds need it. */
    private static KeyForm formOf(KeyType type, KeyForm found) {
        return switch (type) {
            case INT -> KeyForm.INT;
            case BIGINT -> KeyForm.BIGINT;
            case NUMERIC -> KeyForm.NUMERIC;
            case UUID -> KeyForm.UUID;
            case TIMESTAMPTZ -> KeyForm.TIMESTAMPTZ;
            case TEXT -> found == KeyForm.TEXT_OF_JSON ? found : KeyForm.TEXT;
        };
    }
}
