package io.pgstress.extra.diff;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.Chunk;
import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.bson.dump.DumpPass;
import io.pgstress.bson.dump.LeftOut;
import io.pgstress.bson.dump.MongoDump;
import io.pgstress.bson.json.KeyForm;
import io.pgstress.dataset.RowSecurity;
import io.pgstress.dataset.TableColumns;
import io.pgstress.extra.diff.DiffSummary.TableDiff;
import io.pgstress.extra.diff.RowHashes.PairMemory;
import io.pgstress.extra.diff.TableComparison.Pairing;
import io.pgstress.importer.ImportInput;
import io.pgstress.importer.ImportListener;
import io.pgstress.importer.TableVerifier;
import io.pgstress.importer.table.TableForms;
import io.pgstress.importer.table.TableImport;
import io.pgstress.importer.table.TableNames;
import io.pgstress.importer.table.Verification;
import io.pgstress.plan.TableName;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.TargetException;
import io.pgstress.text.Counted;
import io.pgstress.text.Records;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Compares tables with the documents of a dump. One pass over both sides hashes keys and rows; if hashes differ, a second pass
 * over the dump lists the documents. Memory is bounded: see {@link RowHashes}. Used by one thread, which may be interrupted.
 */
public final class DumpDiff {
    private static final int MAX_EXAMPLES = 3;

    private final Connector connector;
    private final DiffOptions options;
    private final ImportListener listener;

    public DumpDiff(Connector connector, DiffOptions options, ImportListener listener) {
        this.connector = connector;
        this.options = options;
        this.listener = listener;
    }

    /**
     * Compares every collection of the input.
     *
     * @throws TargetException if a table cannot be read
     * @throws InvalidPlanException if the input has no collection
     */
    public DiffSummary run(DiffInput input) throws SQLException, IOException, InterruptedException {
        long start = System.nanoTime();
        Map<String, String> leftOut = new LinkedHashMap<>();
        List<String> others = List.of();
        Map<String, TableComparison> comparisons;
        try (TableSide tables = TableSide.open(connector);
                ImportInput opened = input.open()) {
            MongoDump dump = opened.dump();
            dump.leftOut().forEach(each -> leftOut.put(each.name(), each.reason()));
            comparisons = comparisons(dump, tables);
            if (input.isWhole()) {
                List<TableName> compared = comparisons.values().stream()
                        .map(TableComparison::table)
                        .toList();
                others = tables.beside(compared).stream()
                        .map(TableName::toString)
                        .toList();
            }
            compare(input, dump, comparisons, tables);
        }
        return DiffSummary.of(
                options.share(),
                comparisons.values().stream().map(TableComparison::result).toList(),
                others,
                leftOut,
                (System.nanoTime() - start) / 1e9);
    }

    /**
     * Compares the tables of an import with its input: {@code import --verify}. Rejected documents are excluded, and rows from
     * before the import are no difference.
     */
    public static TableVerifier verifier(DiffInput input) {
        return (imported, writer, connector, options, listener) -> {
            DiffOptions how = new DiffOptions(
                    options.json(),
                    options.generateIds(),
                    options.naming(),
                    options.tables().onDuplicate(),
                    1,
                    MAX_EXAMPLES);
            ImportListener progress = (documents, read, total) ->
                    listener.state("verifying: " + Counted.of(documents, "document") + " compared");
            new DumpDiff(connector, how, progress).verify(input, imported, writer);
        };
    }

    private void verify(DiffInput input, List<TableImport> imported, @Nullable Connection writer)
            throws SQLException, IOException, InterruptedException {
        Map<TableImport, TableComparison> wanted = new LinkedHashMap<>();
        Map<String, TableComparison> comparisons = new LinkedHashMap<>();
        for (TableImport each : imported) {
            Pairing pairing = new Pairing(each.collection(), each.table(), each.keyType(), each.form());
            TableComparison comparison = new TableComparison(pairing, options, each::wasRejected);
            wanted.put(each, comparison);
            comparisons.put(each.collection().namespace(), comparison);
        }
        try (TableSide tables = writer == null ? TableSide.open(connector) : TableSide.within(writer);
                ImportInput opened = input.open()) {
            compare(input, opened.dump(), comparisons, tables);
        }
        wanted.forEach((table, comparison) -> table.verified(verification(table, comparison.result())));
    }

    private Verification verification(TableImport table, TableDiff found) {
        long surplus = found.fault().isEmpty() ? found.onlyInTable() - table.rowsBefore() : 0;
        long missing = found.onlyInDump() + Math.max(0, -surplus);
        long different = Math.abs(found.different() - table.keptRows());
        List<String> examples = new ArrayList<>(found.idsOnlyInDump());
        if (different > 0 && table.keptRows() == 0) {
            found.differentRows().forEach(each -> examples.add(each.id()));
        }
        if (table.rowsBefore() == 0) {
            examples.addAll(found.idsOnlyInTable());
        }
        return new Verification(
                found.rows(),
                missing,
                Math.max(0, surplus),
                different,
                examples.stream().limit(MAX_EXAMPLES).collect(Collectors.joining(", ")));
    }

    /** Reads the dump again if documents are to be named, while rows that only the table has are found. */
    private void name(DiffInput input, Map<String, TableComparison> comparisons, TableSide tables)
            throws IOException, InterruptedException {
        List<CompletableFuture<Void>> rows = new ArrayList<>();
        comparisons.values().forEach(each -> rows.add(each.nameRows(tables)));
        if (comparisons.values().stream().anyMatch(each -> each.names().needDump())) {
            listener.step("finding the documents that differ");
            try (ImportInput opened = input.open()) {
                opened.dump().read(new NamingPass(comparisons, tables), DumpPass.CHUNK);
            } catch (BsonException e) {
                // the first pass found the fault
            }
        }
        for (TableComparison each : comparisons.values()) {
            each.names().compareWaiting(tables);
        }
        for (CompletableFuture<Void> each : rows) {
            tables.await(each);
        }
    }

    private Map<String, TableComparison> comparisons(MongoDump dump, TableSide tables) throws SQLException {
        if (dump.collections().isEmpty()) {
            Map<String, String> reasons = new LinkedHashMap<>();
            dump.leftOut().forEach(each -> reasons.put(each.name(), each.reason()));
            throw new InvalidPlanException("there is no collection to compare"
                    + LeftOut.lines(reasons).stream()
                            .map(each -> "; not compared: " + each)
                            .collect(Collectors.joining()));
        }
        TableNames names = new TableNames(dump, options.naming());
        List<String> problems = names.problems(dump.collections());
        if (!problems.isEmpty()) {
            throw new InvalidPlanException(problems);
        }
        Map<String, TableComparison> comparisons = new LinkedHashMap<>();
        for (DumpCollection each : dump.collections()) {
            comparisons.put(each.namespace(), comparison(each, names.of(each), tables));
        }
        return comparisons;
    }

    private TableComparison comparison(DumpCollection collection, TableName table, TableSide tables)
            throws SQLException {
        boolean exists = TableColumns.exists(tables.connection(), table);
        TableComparison without = new TableComparison(
                new Pairing(collection, table, null, KeyForm.TEXT_OF_JSON),
                exists ? options : Records.with(options, "limit", 0),
                each -> false);
        if (!exists) {
            without.note("the table does not exist");
            return without;
        }
        try {
            TableComparison found = new TableComparison(
                    new Pairing(
                            collection,
                            table,
                            TableColumns.keyType(tables.connection(), table),
                            TableForms.stored(tables.connection(), table)),
                    options,
                    each -> false);
            if (RowSecurity.isActive(tables.connection(), table)) {
                found.mayHide("row security policies apply to role " + RowSecurity.role(tables.connection())
                        + " and may hide rows; the owner, or a role with BYPASSRLS, sees all");
            }
            List<String> others = TableColumns.others(tables.connection(), table);
            if (!others.isEmpty()) {
                found.note("not compared: the columns beside _id and data (" + String.join(", ", others) + ")");
            }
            return found;
        } catch (TargetException e) {
            without.failed("nothing was compared. " + e.getMessage());
            return without;
        }
    }

    private void compare(DiffInput input, MongoDump dump, Map<String, TableComparison> comparisons, TableSide tables)
            throws IOException, InterruptedException {
        ComparingPass pass = new ComparingPass(
                comparisons, tables, documents -> listener.progress(documents, dump.bytesRead(), dump.bytesTotal()));
        try {
            dump.read(pass, DumpPass.CHUNK);
        } catch (BsonException e) {
            comparisons.values().forEach(each -> each.cut(String.valueOf(e.getMessage())));
        }
        for (TableComparison each : comparisons.values()) {
            each.end(tables);
        }
        name(input, comparisons, tables);
    }

    /** The first pass over the dump: hashes the documents while the tables are read. */
    static final class ComparingPass extends ComparedPass {
        private final TableSide tables;
        private final PairMemory memory = PairMemory.ofHeap();
        private final LongConsumer progress;
        private long documents;

        /** @param progress receives the number of documents read so far */
        ComparingPass(Map<String, TableComparison> comparisons, TableSide tables, LongConsumer progress) {
            super(comparisons);
            this.tables = tables;
            this.progress = progress;
        }

        @Override
        public boolean begin(DumpCollection collection) {
            if (!isCompared(collection) || of(collection).hasFailed()) {
                return false;
            }
            of(collection).begin(tables, memory);
            return true;
        }

        @Override
        protected void documents(DumpCollection collection, Chunk documentsRead) {
            of(collection).add(documentsRead);
            documents += documentsRead.count();
            progress.accept(documents);
        }

        @Override
        public void end(DumpCollection collection, long count) throws IOException, InterruptedException {
            of(collection).match(tables);
        }

        @Override
        public void failed(DumpCollection collection, long count, BsonException fault)
                throws IOException, InterruptedException {
            of(collection)
                    .failed((count == 0 ? "nothing was compared. " : "the rest was not compared. ")
                            + fault.getMessage());
            of(collection).match(tables);
        }

        @Override
        public void wrongChecksum(DumpCollection collection, long count, BsonException fault)
                throws IOException, InterruptedException {
            of(collection).failed("all documents were compared, but may be damaged: " + fault.getMessage());
            of(collection).match(tables);
        }

        @Override
        public void unreadable(DumpCollection collection, BsonException fault) {
            if (isCompared(collection)) {
                of(collection).failed("nothing was compared. " + fault.getMessage());
            }
        }

        @Override
        public void dumpFailed(List<DumpCollection> collections, BsonException fault) {
            collections.stream()
                    .filter(this::isCompared)
                    .forEach(each -> of(each).cut(String.valueOf(fault.getMessage())));
        }
    }

    /** The second pass over the dump, only if something differs: names documents. */
    static final class NamingPass extends ComparedPass {
        private final TableSide tables;

        NamingPass(Map<String, TableComparison> comparisons, TableSide tables) {
            super(comparisons);
            this.tables = tables;
        }

        @Override
        public boolean begin(DumpCollection collection) {
            return isCompared(collection) && of(collection).names().needDump();
        }

        @Override
        protected void documents(DumpCollection collection, Chunk documents) throws InterruptedException {
            of(collection).names().add(documents, tables);
        }
    }

    /** A pass over the collections that are compared. */
    abstract static class ComparedPass extends DumpPass {
        private final Map<String, TableComparison> comparisons;

        /** @param comparisons by namespace */
        ComparedPass(Map<String, TableComparison> comparisons) {
            this.comparisons = comparisons;
        }

        final boolean isCompared(DumpCollection collection) {
            return comparisons.containsKey(collection.namespace());
        }

        final TableComparison of(DumpCollection collection) {
            return Objects.requireNonNull(comparisons.get(collection.namespace()));
        }

        @Override
        protected void fault(BsonException fault) {
            // the first pass has told it
        }
    }
}
