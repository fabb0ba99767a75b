package io.pgstress.importer;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.Chunk;
import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.bson.dump.DumpVisitor;
import io.pgstress.bson.dump.MongoDump;
import io.pgstress.bson.json.KeyForm;
import io.pgstress.importer.table.TableImport;
import io.pgstress.importer.table.TableMaker;
import io.pgstress.importer.table.TableNames;
import io.pgstress.plan.TableName;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Passes the documents of a dump to the workers. Called by the reader's thread; any thread may call {@link #tables}. */
final class DumpReader implements DumpVisitor {
    /**
     * Bytes of documents per transaction. Constant, so that a resumed import forms the same chunks. Between two chunks the
     * server waits about 2 ms for its client; with chunks a quarter as large, that was 3% of the time.
     */
    static final int CHUNK = 8 << 20;

    private static final String ADVICE = "; import an undamaged copy with --if-exists drop";

    private final Map<String, TableImport> tables = new LinkedHashMap<>();
    private final Map<DumpCollection, String> notStarted = new LinkedHashMap<>();
    private final TablePreparation preparation;
    private final ChunkQueue queue;
    private final RejectLimit limit;
    private volatile long documents;
    private volatile long readNanos;

    /** @param maxRejects rejected documents that the import tolerates */
    DumpReader(TablePreparation preparation, ChunkQueue queue, long maxRejects) {
        this.limit = new RejectLimit(maxRejects);
        this.preparation = preparation;
        this.queue = queue;
    }

    /**
     * Prepares the table of each collection when its documents begin.
     *
     * @param connection the connection of the table maker, under whose lock tables are created
     * @param indexes is told the collections; null if their indexes are left aside
     */
    record TablePreparation(
            TableNames names,
            KeyScan scan,
            Connection connection,
            TableMaker maker,
            @Nullable IndexStep indexes) {
        private TableImport prepare(DumpCollection collection) throws IOException {
            TableName name = names.of(collection);
            synchronized (connection) {
                try {
                    TableImport table = maker.prepare(collection, name, scan.form(collection));
                    note(collection, table);
                    if (indexes != null) {
                        table.observe(indexes.begin(name, collection.metadata(), table::note));
                    }
                    return table;
                } catch (SQLException e) {
                    throw new IOException("table " + name + " could not be prepared: " + e.getMessage(), e);
                }
            }
        }

        private void note(DumpCollection collection, TableImport table) {
            String keys = table.form() == KeyForm.TEXT_OF_JSON ? scan.note(collection) : "";
            if (!keys.isEmpty()) {
                table.note(keys);
            }
            if (!collection.options().isEmpty()) {
                table.note("options in the metadata that the table does not have: "
                        + String.join(", ", collection.options()));
            }
        }
    }

    /** Reads the whole dump. A fault that ends an archive early is recorded for every incomplete collection. */
    void readFrom(MongoDump dump) throws IOException, InterruptedException {
        long start = System.nanoTime();
        try {
            dump.read(this, CHUNK);
        } catch (BsonException e) {
            dumpFailed(dump.collections(), e);
        }
        readNanos = System.nanoTime() - start;
    }

    @Override
    public void dumpFailed(List<DumpCollection> collections, BsonException fault) {
        String why = String.valueOf(fault.getMessage());
        List<TableImport> begun = tables().stream()
                .filter(t -> collections.contains(t.collection()))
                .toList();
        boolean told = begun.stream().anyMatch(t -> t.hasFailed());
        for (DumpCollection each : collections) {
            if (!begun(each) && !notStarted.containsKey(each)) {
                notStarted.put(each, "nothing was imported. " + why);
                told = true;
            }
        }
        if (!told) {
            begun.forEach(t -> t.failed("all its documents were imported, but then: " + why));
        }
    }

    private boolean begun(DumpCollection collection) {
        synchronized (tables) {
            return tables.containsKey(collection.namespace());
        }
    }

    @Override
    public boolean begin(DumpCollection collection) throws IOException {
        TableImport table = preparation.prepare(collection);
        limit.add(table.rejected()); // by the part of the import that is continued
        synchronized (tables) {
            tables.put(collection.namespace(), table);
        }
        return true;
    }

    private TableImport table(DumpCollection collection) {
        synchronized (tables) {
            TableImport table = tables.get(collection.namespace());
            if (table == null) {
                throw new IllegalStateException(collection.namespace() + " was never started");
            }
            return table;
        }
    }

    @Override
    public Chunk empty() throws InterruptedException {
        return queue.empty();
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // only the reader's thread writes
    public void chunk(DumpCollection collection, Chunk chunk) throws InterruptedException, IOException {
        if (queue.hasFailed()) {
            throw new IOException("the import has failed");
        }
        documents += chunk.count();
        queue.put(table(collection), chunk);
    }

    @Override
    public void failed(DumpCollection collection, long count, BsonException fault) {
        String what = count == 0 ? "nothing was imported. " : "the rest was not imported. ";
        table(collection).failed(what + fault.getMessage() + ADVICE);
    }

    @Override
    public void unreadable(DumpCollection collection, BsonException fault) {
        notStarted.put(collection, "nothing was imported. " + fault.getMessage());
    }

    @Override
    public void wrongChecksum(DumpCollection collection, long count, BsonException fault) {
        table(collection).failed("all documents were imported, but may be damaged: " + fault.getMessage());
    }

    @Override
    public void unused(Chunk chunk) {
        queue.giveBack(chunk);
    }

    /** The tables started so far. */
    List<TableImport> tables() {
        synchronized (tables) {
            return new ArrayList<>(tables.values());
        }
    }

    /** Collections that were not started because of a fault in their file or the archive, with the fault. */
    Map<DumpCollection, String> notStarted() {
        return notStarted;
    }

    RejectLimit limit() {
        return limit;
    }

    /** Documents read. */
    long documents() {
        return documents;
    }

    double readSeconds() {
        return readNanos / 1e9;
    }
}
