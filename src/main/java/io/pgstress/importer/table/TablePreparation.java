package io.pgstress.importer.table;

import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.bson.json.KeyForm;
import io.pgstress.dataset.TableColumns;
import io.pgstress.importer.table.Progress.InputMark;
import io.pgstress.importer.table.TableImport.Route;
import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import io.pgstress.plan.sql.Quoting;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.driver.ControlSql;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Prepares tables for their rows: finds what an earlier import left, and creates what is missing. Used by one thread. */
final class TablePreparation {
    private final Connection connection;
    private final Dialect dialect;
    private final TableRules rules;
    private final ProgressTables progressTables;
    private final Path rejectDirectory;
    private final long chunkBytes;
    private final ExistingTable existingTable;
    private final TextForm textForm;
    private final ColumnTables columnTables;
    private final PrimaryKey primaryKey;
    private final Staging staging;

    TablePreparation(
            Connection connection,
            Dialect dialect,
            TableRules rules,
            ProgressTables progress,
            Path rejectDirectory,
            long chunkBytes,
            Staging staging) {
        this.connection = connection;
        this.dialect = dialect;
        this.rules = rules;
        this.progressTables = progress;
        this.rejectDirectory = rejectDirectory;
        this.chunkBytes = chunkBytes;
        this.existingTable = new ExistingTable(connection, dialect, rules, progress);
        this.textForm = new TextForm(connection);
        this.columnTables = new ColumnTables(connection, rules.columns());
        this.primaryKey = new PrimaryKey(connection, rules);
        this.staging = staging;
    }

    TableImport prepare(DumpCollection collection, TableName name, KeyForm found) throws SQLException, IOException {
        Route route = Route.of(name, rules);
        InputMark input = InputMark.of(collection);
        boolean targetExists = TableColumns.exists(connection, name);
        Progress progress = rules.resume() ? progressTables.imports().of(connection, route.load()) : null;
        Resumption earlier = Resumption.of(progress, route, input, chunkBytes, targetExists);
        if (!earlier.resumed() || progress == null) {
            progress = existingTable.clear(route, targetExists, input, chunkBytes);
        } else if (!earlier.done()) {
            existingTable.requireLoadedRows(route, progress);
        }
        return prepare(collection, route, found, earlier, progress, targetExists);
    }

    private TableImport prepare(
            DumpCollection collection,
            Route route,
            KeyForm found,
            Resumption earlier,
            Progress progress,
            boolean targetExists)
            throws SQLException, IOException {
        boolean done = earlier.done();
        TableName table = done ? route.target() : route.table();
        boolean exists = TableColumns.exists(connection, table);
        TableName like = exists ? table : targetExists && !rules.drops() ? route.target() : null;
        KeyForm form = form(like, found);
        TypedColumns columns =
                like == null ? columnTables.ofNew(collection) : columnTables.ofExisting(collection, like);
        boolean after = !done && progress.keyAfter() && !(exists && primaryKey.exists(table));
        if (!exists) {
            create(table, KeyColumn.typeOf(form), after);
            columnTables.add(table, columns);
        }
        if (!done) {
            textForm.keep(table, form);
        }
        if (route.isStaged() && !done) {
            staging.make(route.load(), table);
        }
        TableImport made = new TableImport(
                collection,
                done ? route.done() : route,
                form,
                KeyColumn.typeOf(form),
                after,
                done || progress.rowsBefore() != 0,
                table.equals(route.target()) ? progress.rowsBefore() : 0,
                new RejectFile(rejectDirectory, route.target().toString(), earlier.resumed()),
                new ColumnCounts(columns));
        if (done) {
            made.done(progress.verified());
            made.note("nothing left to do: the same input was imported completely before");
        }
        if (exists && !done) {
            columnTables.unfilled(table).ifPresent(made::note);
        }
        return made;
    }

    /** @param like the table whose key column it has; null: none yet */
    private KeyForm form(@Nullable TableName like, KeyForm found) throws SQLException {
        if (like != null) {
            return textForm.of(like, TableColumns.keyType(connection, like), found);
        }
        KeyType type = rules.keyType();
        return type == null ? found : KeyColumn.formOf(type, found);
    }

    private void create(TableName name, KeyType type, boolean keyAfter) throws SQLException {
        if (!name.schema().isEmpty()) {
            ControlSql.execute(connection, "create schema if not exists " + Quoting.identifier(name.schema()));
        }
        for (String sql : dialect.tables().create(name, type, !keyAfter)) {
            ControlSql.execute(connection, sql);
        }
    }
}
