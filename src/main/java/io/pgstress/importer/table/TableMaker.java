package io.pgstress.importer.table;

import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.bson.json.KeyForm;
import io.pgstress.dataset.TableColumns;
import io.pgstress.importer.table.Progress.InputMark;
import io.pgstress.importer.table.TableImport.EarlierImport;
import io.pgstress.importer.table.TableImport.Route;
import io.pgstress.importer.table.TableImport.TargetTable;
import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.TargetException;
import io.pgstress.text.Counted;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Creates the tables of an import, and completes them after the rows are loaded. */
public final class TableMaker {
    /** SQLSTATE invalid_table_definition: a second primary key. */
    private static final String HAS_KEY = "42P16";

    private final Connection connection;
    private final Dialect dialect;
    private final TableRules rules;
    private final ProgressTable imports;
    private final Staging staging;
    private final ExistingTable existingTable;
    private final TableForms forms;
    private final Path rejectDirectory;
    private final long chunkBytes;
    private final String values;

    /** @param values the options that decide how values are written */
    public TableMaker(
            Connection connection,
            Dialect dialect,
            TableRules rules,
            ProgressTables progress,
            Path rejectDirectory,
            long chunkBytes,
            String values) {
        this.connection = connection;
        this.dialect = dialect;
        this.rules = rules;
        this.imports = progress.imports();
        this.staging = new Staging(connection, rules, imports, dialect.commitsInOnePlace());
        this.existingTable = new ExistingTable(connection, dialect, rules, progress);
        this.forms = new TableForms(connection, dialect, rules.keyType());
        this.rejectDirectory = rejectDirectory;
        this.chunkBytes = chunkBytes;
        this.values = values;
    }

    /** Adds every problem with these tables to the list, before any of them is touched. */
    public void check(List<TableName> names, List<String> problems) throws SQLException {
        List<String> all = new ArrayList<>(problems);
        all.addAll(existingTable.problems(names));
        if (!all.isEmpty()) {
            throw new TargetException(Counted.first(all, "; "));
        }
    }

    /**
     * How much an import of these collections that is resumed takes over, in words.
     *
     * @param names gives the table of each
     */
    public String takenOver(
            List<DumpCollection> collections, Function<DumpCollection, TableName> names, LoadedChunks chunks)
            throws SQLException, IOException {
        int complete = 0;
        int damaged = 0;
        int begun = 0;
        long documents = 0;
        for (DumpCollection collection : collections) {
            TableName name = names.apply(collection);
            TableName load = Route.of(name, rules).load();
            Progress progress = imports.of(connection, load);
            if (progress == null) {
                continue;
            }
            InputMark input = InputMark.of(collection);
            if (progress.isResumable(input, chunkBytes)) {
                begun++;
                documents += chunks.documents(connection, load);
            } else if (progress.hasEnded(input) && TableColumns.exists(connection, name)) {
                boolean isDamaged = progress.state() == Progress.State.DAMAGED;
                damaged += isDamaged ? 1 : 0;
                complete += isDamaged ? 0 : 1;
            }
        }
        return Counted.of(complete, "complete table")
                + (damaged == 0 ? "" : ", " + Counted.of(damaged, "table") + " as far as the input could be read")
                + (begun == 0
                        ? ""
                        : ", and " + Counted.of(documents, "document") + " in " + Counted.of(begun, "other table"));
    }

    /**
     * Prepares the table of a collection for its rows: finds what an earlier import left, and creates what is missing.
     */
    public TableImport prepare(DumpCollection collection, TableName name, KeyForm found)
            throws SQLException, IOException {
        Route route = Route.of(name, rules);
        InputMark input = InputMark.of(collection);
        boolean targetExists = TableColumns.exists(connection, name);
        Progress progress = rules.resume() ? imports.of(connection, route.load()) : null;
        Resumption earlier = Resumption.of(progress, route, input, chunkBytes, targetExists);
        if (!earlier.resumed() || progress == null) {
            progress = existingTable.clear(route, targetExists, input, chunkBytes, values);
        } else if (!progress.values().equals(values)) {
            throw new TargetException("--resume: the import into " + route.target()
                    + " was started with another --extended-json or --uuid; repeat its options, or start again without"
                    + " --resume, with --if-exists drop or truncate");
        } else if (!earlier.done()) {
            existingTable.requireLoadedRows(route, progress);
        }
        String unverifiable = unverifiable(route, progress, earlier.resumed());
        if (!unverifiable.isEmpty()) {
            throw new TargetException("--verify: " + unverifiable);
        }
        return prepare(collection, route, found, earlier, progress, targetExists);
    }

    /** Why the table cannot be compared with the input at the end; empty if it can be, or is not to be. */
    private String unverifiable(Route route, Progress progress, boolean resumed) {
        if (!rules.verify() || progress.verified() || progress.rowsBefore() == 0) {
            return "";
        }
        if (progress.rowsBefore() < 0) {
            return "the import into " + route.target()
                    + " was started without it, and the rows that the table had before"
                    + " were not counted; resume it without --verify";
        }
        return route.isStaged() && !resumed && !dialect.commitsInOnePlace()
                ? "table " + route.target()
                        + " has rows, and on a cluster the effect of --on-duplicate on them cannot be"
                        + " determined; leave --verify out, or import into an empty table"
                : "";
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
        TableName table = route.target();
        boolean exists = TableColumns.exists(connection, table);
        TableName like = exists ? table : targetExists && !rules.drops() ? route.target() : null;
        KeyForm form = like == null ? forms.ofNew(found) : TableForms.ofExisting(connection, like, found);
        boolean after = !done && progress.keyAfter() && !(exists && hasKey(table));
        if (!exists) {
            forms.create(table, form, !after);
        }
        if (!done) {
            TableForms.keep(connection, table, form);
        }
        if (route.isStaged() && !done) {
            staging.make(route.load(), table);
        }
        TableImport made = new TableImport(
                collection,
                new TargetTable(route, form, after),
                new EarlierImport(progress, done, earlier.resumed()),
                new RejectFile(rejectDirectory, route.target().toString(), earlier.resumed()));
        if (done) {
            made.note("nothing left to do: the same input was imported"
                    + (progress.state() == Progress.State.DAMAGED
                            ? " before, as far as it could be read"
                            : " completely before")
                    + (rules.verify() && progress.verified()
                            ? ", and verified then; stress diff compares the table again"
                            : ""));
        }
        if (exists && !done) {
            List<String> unfilled = TableColumns.others(connection, table);
            if (!unfilled.isEmpty()) {
                made.note("columns that take their defaults, because the import does not fill them: "
                        + String.join(", ", unfilled));
            }
        }
        return made;
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
            addKey(table.table());
            table.keyCreated();
        }
    }

    public boolean exists(TableName table) throws SQLException {
        return TableColumns.exists(connection, table);
    }

    /** Collects statistics. */
    public void complete(TableImport table) throws SQLException {
        ControlSql.execute(connection, "analyze " + table.table().quoted());
    }

    public long bytes(TableName name) throws SQLException {
        return ControlSql.number(connection, dialect.tables().totalBytes(name));
    }

    public long indexBytes(TableName name) throws SQLException {
        return ControlSql.number(connection, dialect.tables().indexBytes(name));
    }

    /** Whether it has the primary key, or an index if its storage allows none. */
    private boolean hasKey(TableName name) throws SQLException {
        return ControlSql.exists(
                connection,
                "select 1 from pg_index where indrelid = to_regclass(" + name.literal() + ")"
                        + (dialect.tables().haveKeys() ? " and indisprimary" : ""));
    }

    /** The server's message as a part of a sentence. */
    private static String withoutPeriod(SQLException e) {
        return ServerErrors.messageOf(e).replaceFirst("\\.$", "");
    }

    /** @throws TargetException if an _id occurs twice; the message says what can be done */
    private void addKey(TableName name) throws SQLException {
        try {
            ControlSql.execute(connection, dialect.tables().addKey(name));
        } catch (SQLException e) {
            if (HAS_KEY.equals(e.getSQLState()) && rules.resume() && hasKey(name)) {
                return; // a session of the import that was killed was still creating it
            }
            if (ServerErrors.isDuplicateKey(e) && rules.atomic()) {
                throw new TargetException("an _id occurs more than once: " + withoutPeriod(e), e);
            }
            if (ServerErrors.isDuplicateKey(e)) {
                throw new TargetException(
                        "all rows are in table " + name
                                + ", but it has no primary key, because an _id occurs more than once: "
                                + withoutPeriod(e)
                                + "; delete the surplus rows and create the key with --resume, or import"
                                + " again with --if-exists drop and --on-duplicate skip or replace",
                        e);
            }
            throw e;
        }
    }

    /**
     * What an earlier import into a table means for this one.
     *
     * @param done whether the same input was already imported completely
     * @param resumed whether it is done, or an unfinished import of it is continued
     */
    record Resumption(boolean done, boolean resumed) {
        private static final Resumption NONE = new Resumption(false, false);

        /**
         * Decides from the progress of the earlier import.
         *
         * @param earlier its progress; null if there was none
         * @param exists whether the target table exists
         * @throws TargetException if an unfinished import cannot be resumed with this input
         */
        static Resumption of(
                @Nullable Progress earlier, Route route, InputMark input, long chunkBytes, boolean exists) {
            if (earlier == null) {
                return NONE;
            }
            boolean isDamaged = earlier.state() == Progress.State.DAMAGED;
            if (exists && isDamaged && (input.bytes() < 0 || !earlier.hasEnded(input))) {
                throw new TargetException("--resume: the input of the import into " + route.target()
                        + " was damaged, and the rest cannot be added; import an undamaged copy with --if-exists drop");
            }
            if (exists && earlier.hasEnded(input)) {
                if (input.bytes() < 0) {
                    throw new TargetException("the import into " + route.target() + " is complete: there is nothing to"
                            + " --resume; whether this stream is the same input is unknown");
                }
                return new Resumption(true, true);
            }
            if (earlier.isResumable(input, chunkBytes)) {
                return new Resumption(false, true);
            }
            if (exists && !earlier.hasEnded()) {
                throw new TargetException("--resume: the unfinished import into " + route.target()
                        + " had another input, or was started by another version of this program, which splits the"
                        + " input differently; resume it with that input and version, or start again without --resume,"
                        + " with --if-exists drop or truncate");
            }
            return NONE;
        }
    }
}
