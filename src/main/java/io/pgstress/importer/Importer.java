package io.pgstress.importer;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.Chunk;
import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.bson.dump.DumpVisitor;
import io.pgstress.bson.dump.LeftOut;
import io.pgstress.bson.dump.MongoDump;
import io.pgstress.bson.key.KeyForm;
import io.pgstress.plan.TableName;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.driver.Connector;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Loads a dump: one thread reads and cuts it at documents' borders, workers convert and COPY chunks side by side. Belongs
 * to one thread; interrupting it ends the import with whole chunks only, which {@code --resume} carries on.
 */
public final class Importer {
    /** Documents of one transaction. The same for the same input, so that a resumed import cuts the same chunks. */
    static final int CHUNK = 2 << 20;

    private static final int CHUNKS_A_JOB = 2;

    private final Connector connector;
    private final Dialect dialect;
    private final ImportOptions options;
    private final ImportListener listener;

    public Importer(Connector connector, Dialect dialect, ImportOptions options, ImportListener listener) {
        this.connector = connector;
        this.dialect = dialect;
        this.options = options;
        this.listener = listener;
    }

    /**
     * Imports every collection of the dump.
     *
     * @throws SQLException where the server ends it: full disk, lost connection
     * @throws IOException where the input cannot be read or rejects cannot be written
     */
    public ImportSummary run(MongoDump dump) throws SQLException, IOException, InterruptedException {
        long start = System.nanoTime();
        KeyScan scan = new KeyScan();
        if (options.keyType() == null && dump.rereadable()) {
            listener.step("finding the type of _id");
            dump.read(scan, KeyScan.CHUNK);
        }
        ChunkQueue queue = new ChunkQueue(CHUNKS_A_JOB * options.jobs() + 1, CHUNK, options.jobs());
        try (Connection connection = connector.openControl()) {
            try (Statement statement = connection.createStatement()) {
                ProgressTable.create(statement);
            }
            TableMaker maker = new TableMaker(connection, dialect, options);
            Feed feed = new Feed(dump, scan, queue, maker);
            List<CopyWorker> workers = feed.load();
            List<ImportSummary.CollectionSummary> summaries = new ArrayList<>();
            for (TableImport table : feed.tables.values()) {
                listener.step("finishing " + table.table());
                maker.finish(table);
                table.close();
                summaries.add(table.summary(maker.bytes(table.table())));
            }
            ProgressTable.dropIfEmpty(connection);
            return summary(summaries, dump.leftOut(), start, feed.readNanos, workers);
        }
    }

    private static ImportSummary summary(
            List<ImportSummary.CollectionSummary> collections,
            List<LeftOut> leftOut,
            long start,
            long readNanos,
            List<CopyWorker> workers) {
        Map<String, String> out = new LinkedHashMap<>();
        leftOut.forEach(l -> out.put(l.name(), l.reason()));
        return new ImportSummary(
                collections,
                out,
                (System.nanoTime() - start) / 1e9,
                readNanos / 1e9,
                workers.stream().mapToDouble(CopyWorker::convertSeconds).sum(),
                workers.stream().mapToDouble(CopyWorker::waitSeconds).sum());
    }

    /** Hands what is read to the workers. */
    private final class Feed implements DumpVisitor {
        final Map<String, TableImport> tables = new LinkedHashMap<>();
        private final MongoDump dump;
        private final KeyScan scan;
        private final ChunkQueue queue;
        private final TableMaker maker;
        private final boolean severalDatabases;
        private final AtomicLong documents = new AtomicLong();
        long readNanos;

        Feed(MongoDump dump, KeyScan scan, ChunkQueue queue, TableMaker maker) {
            this.dump = dump;
            this.scan = scan;
            this.queue = queue;
            this.maker = maker;
            this.severalDatabases = dump.collections().stream()
                            .map(DumpCollection::database)
                            .distinct()
                            .count()
                    > 1;
        }

        List<CopyWorker> load() throws SQLException, IOException, InterruptedException {
            List<CopyWorker> workers = new ArrayList<>();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < options.jobs(); i++) {
                CopyWorker worker = new CopyWorker(queue, connector, options.json(), this::progress);
                Thread thread = new Thread(worker, "import-" + i);
                thread.setDaemon(true);
                workers.add(worker);
                threads.add(thread);
                thread.start();
            }
            try {
                long start = System.nanoTime();
                dump.read(this, CHUNK);
                readNanos = System.nanoTime() - start;
            } finally {
                queue.end();
                for (Thread thread : threads) {
                    thread.join();
                }
            }
            Exception failure = queue.failure();
            if (failure instanceof SQLException sql) {
                throw sql;
            }
            if (failure != null) {
                throw new IOException(failure.getMessage(), failure);
            }
            progress();
            return workers;
        }

        private void progress() {
            listener.progress(documents.get(), dump.bytesRead(), dump.bytesTotal());
        }

        @Override
        public boolean begin(DumpCollection collection) throws IOException {
            TableName name = new TableName(severalDatabases ? collection.database() : "", collection.collection());
            KeyForm form = scan.form(collection);
            try {
                tables.put(collection.namespace(), maker.prepare(collection, name, form));
            } catch (SQLException e) {
                throw new IOException("table " + name + " could not be prepared: " + e.getMessage(), e);
            }
            return true;
        }

        private TableImport table(DumpCollection collection) {
            TableImport table = tables.get(collection.namespace());
            if (table == null) {
                throw new IllegalStateException(collection.namespace() + " was never begun");
            }
            return table;
        }

        @Override
        public Chunk empty() throws InterruptedException {
            return queue.empty();
        }

        @Override
        public void chunk(DumpCollection collection, Chunk chunk) throws InterruptedException, IOException {
            if (queue.failure() != null) {
                throw new IOException("the import has failed", queue.failure());
            }
            TableImport table = table(collection);
            table.read(chunk.count(), chunk.length());
            documents.addAndGet(chunk.count());
            queue.put(table, chunk);
        }

        @Override
        public void end(DumpCollection collection, long count) {}

        @Override
        public void failed(DumpCollection collection, long count, BsonException fault) {
            table(collection).failed(String.valueOf(fault.getMessage()));
        }

        @Override
        public void unused(Chunk chunk) {
            queue.giveBack(chunk);
        }
    }
}
