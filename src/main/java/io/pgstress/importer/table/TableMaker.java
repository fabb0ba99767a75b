package io.pgstress.importer.table;

import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.bson.json.KeyForm;
import io.pgstress.dataset.TableColumns;
import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.TargetException;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Creates the tables of an import, and completes them after the rows are loaded. */
public final class TableMaker {
    private final Connection connection;
    private final Dialect dialect;
    private final TableRules rules;
    private final ProgressTable imports;
    private final Staging staging;
    private final PrimaryKey primaryKey;
    private final ExistingTable existingTable;
    private final ColumnTables columnTables;
    private final TablePreparation preparation;

    public TableMaker(
            Connection connection,
            Dialect dialect,
            TableRules rules,
            ProgressTables progress,
            Path rejectDirectory,
            long chunkBytes) {
        this.connection = connection;
        this.dialect = dialect;
        this.rules = rules;
        this.imports = progress.imports();
        this.staging =
                new Staging(connection, rules, imports, dialect.transactions().commitsInOnePlace());
        this.primaryKey = new PrimaryKey(connection, rules);
        this.existingTable = new ExistingTable(connection, dialect, rules, progress);
        this.columnTables = new ColumnTables(connection, rules.columns());
        this.preparation =
                new TablePreparation(connection, dialect, rules, progress, rejectDirectory, chunkBytes, staging);
    }

    /** Adds every problem with these tables to the list, before any of them is touched. */
    public void check(List<TableName> names, List<String> problems) throws SQLException {
        List<String> all = new ArrayList<>(problems);
        for (TableName name : names) {
            all.addAll(existingTable.problems(name));
        }
        if (!all.isEmpty()) {
            throw new TargetException(String.join("; ", all));
        }
    }

    /**
     * The problems with the typed columns of existing tables.
     *
     * @throws InvalidPlanException if the columns requested make no sense for these collections or this server
     */
    public List<String> columnProblems(List<DumpCollection> collections, TableNames names) throws SQLException {
        List<String> wrong = columnTables.problems(collections);
        if (!wrong.isEmpty()) {
            throw new InvalidPlanException(String.join("; ", wrong));
        }
        List<String> problems = new ArrayList<>();
        for (DumpCollection each : rules.drops() && !rules.resume() ? List.<DumpCollection>of() : collections) {
            problems.addAll(columnTables.problems(each, names.of(each)));
        }
        return problems;
    }

    /** Prepares the table of a collection for its rows. */
    public TableImport prepare(DumpCollection collection, TableName name, KeyForm found)
            throws SQLException, IOException {
        return preparation.prepare(collection, name, found);
    }

    /** Whether the key column already exists, is kept, and has a type with only one form of keys. */
    public boolean isKeySettled(TableName name) throws SQLException {
        return !rules.drops()
                && TableColumns.exists(connection, name)
                && TableColumns.keyType(connection, name) != KeyType.TEXT;
    }

    /** Moves staged rows and creates the key, unless an earlier part of the import did. */
    public void finish(TableImport table) throws SQLException {
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

    /** Ends an atomic import. */
    public AllOrNothing allOrNothing(long maxRejects) {
        return new AllOrNothing(
                connection, rules, imports, maxRejects, dialect.transactions().commitsInOnePlace());
    }

    public boolean exists(TableName table) throws SQLException {
        return TableColumns.exists(connection, table);
    }

    /** Creates the indexes on typed columns that are missing, and collects statistics. */
    public void complete(TableImport table) throws SQLException {
        TableName target = table.route().target();
        String noIndex =
                new ColumnIndexes(connection).create(target, table.columns().columns());
        if (!noIndex.isEmpty()) {
            table.failed(noIndex);
        }
        ControlSql.execute(connection, "analyze " + target.quoted());
    }

    public long bytes(TableName name) throws SQLException {
        return number(dialect.tables().totalBytes(name));
    }

    public long indexBytes(TableName name) throws SQLException {
        return number(dialect.tables().indexBytes(name));
    }

    private long number(String query) throws SQLException {
        return ControlSql.number(connection, query);
    }
}
