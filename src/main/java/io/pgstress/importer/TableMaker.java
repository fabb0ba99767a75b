package io.pgstress.importer;

import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.bson.key.KeyForm;
import io.pgstress.dataset.TableColumns;
import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.driver.TargetException;
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
    private final PrimaryKey primaryKey;
    private final Verifier verifier;
    private final CopyTable copyTable;
    private final TextForm textForm;
    private final Ground ground;

    TableMaker(Connection connection, Dialect dialect, ImportOptions options) {
        this.connection = connection;
        this.dialect = dialect;
        this.options = options;
        this.verifier = new Verifier(connection, dialect.transactions().commitsInOnePlace());
        this.staging = new Staging(
                connection, options, verifier, dialect.transactions().commitsInOnePlace());
        this.primaryKey = new PrimaryKey(connection, options);
        this.copyTable = new CopyTable(connection, dialect);
        this.textForm = new TextForm(connection);
        this.ground = new Ground(connection, dialect, options);
    }

    /** Tells whatever stands against these tables, before any of them is touched. */
    void check(List<TableName> names, List<String> problems) throws SQLException {
        List<String> all = new ArrayList<>(problems);
        for (TableName name : names) {
            all.addAll(ground.problems(name));
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
        Resumption earlier = Resumption.of(connection, route, size, there, options);
        boolean done = earlier.done();
        boolean resumed = earlier.resumed();
        TableName table = done ? name : route.table();
        if (!resumed) {
            ground.clear(route, there, size);
        } else if (!done) {
            ground.requireWhatWasLoaded(route);
        }
        boolean exists = TableColumns.exists(connection, table);
        boolean typed = exists || (there && options.ifExists() != ImportOptions.IfExists.DROP);
        KeyForm form = options.keyType() == null ? found : KeyColumn.formOf(options.keyType(), found);
        if (typed) {
            TableName as = exists ? table : name;
            form = textForm.of(as, TableColumns.keyType(connection, as), found);
        }
        boolean after = ProgressTable.knows(connection, route.load(), ProgressTable.KEY_AFTER, size)
                && !(exists && primaryKey.exists(table));
        if (!exists) {
            create(table, KeyColumn.typeOf(form), after);
        }
        if (!done) {
            textForm.keep(table, form);
        }
        if (route.isStaged() && !done) {
            staging.make(route.load(), table);
        }
        boolean filled = done || ProgressTable.knows(connection, route.load(), ProgressTable.FILLED, size);
        RejectFile rejects = new RejectFile(options.rejectDirectory(), name.toString(), resumed);
        TableImport made = new TableImport(collection, route, form, KeyColumn.typeOf(form), after, filled, rejects);
        if (done) {
            made.done();
            tellWhetherVerified(made);
        } else if (options.verify()) {
            verifier.begin(made, exists, resumed);
        }
        return made;
    }

    private void tellWhetherVerified(TableImport done) throws SQLException {
        if (options.verify()
                && !ProgressTable.knows(connection, done.loadTable(), ProgressTable.VERIFIED, done.inputBytes())) {
            done.failed(
                    "nothing was verified, as all of it was imported before without --verify, or was not found to be"
                            + " as the input: import it anew with --if-exists drop");
        }
    }

    /** Whether the column of keys is there and stays, and is of a type that has but one form. */
    boolean isKeySettled(TableName name) throws SQLException {
        return options.ifExists() != ImportOptions.IfExists.DROP
                && TableColumns.exists(connection, name)
                && TableColumns.keyType(connection, name) != KeyType.TEXT;
    }

    private void create(TableName name, KeyType type, boolean keyAfter) throws SQLException {
        if (!name.schema().isEmpty()) {
            execute("create schema if not exists " + TableName.quote(name.schema()));
        }
        for (String sql : dialect.tables().create(name, type)) {
            execute(keyAfter ? sql.replace(" primary key,", ",") : sql);
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
            primaryKey.add(table.table());
        }
    }

    /** The end of an import of all or nothing. */
    AllOrNothing allOrNothing() {
        return new AllOrNothing(connection, options, dialect.transactions().commitsInOnePlace());
    }

    /** Makes the copy table, where there is none, and the statistics. */
    void complete(TableImport table) throws SQLException {
        TableName target = table.route().target();
        String fault = copyTable.make(target, table.keyType());
        if (!fault.isEmpty()) {
            table.failed(fault);
        }
        execute("analyze " + target.quoted());
    }

    /** Whether the table holds what it must; the table tells where not. */
    boolean verify(TableImport table) throws SQLException {
        return verifier.verify(table);
    }

    long bytes(TableName name) throws SQLException {
        return number(dialect.tables().totalBytes(name));
    }

    long indexBytes(TableName name) throws SQLException {
        return number(dialect.tables().indexBytes(name));
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
}
