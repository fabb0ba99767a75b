package io.pgstress.importer;

import io.pgstress.bson.dump.MongoDump;
import io.pgstress.importer.ChunkLoader.ChunkTransaction;
import io.pgstress.importer.table.LoadedChunks;
import io.pgstress.importer.table.TableImport;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.DriverSession;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.loop.Daemons;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs the reader and the workers on their own threads, so that the caller can be interrupted whatever they wait for, such as a
 * silent pipe or a frozen server. Used by one thread.
 */
final class Loading {
    private static final long GRACE_MILLIS = 5_000;
    private static final long ABORTED_MILLIS = 300;

    /** Memory that is set free when the heap is full, because even reporting that takes some. */
    private static final int RESERVE_BYTES = 512 * 1024;

    @SuppressWarnings("UnusedVariable") // it is held, not read
    private byte @Nullable [] reserve = new byte[RESERVE_BYTES];

    private final ImportJob job;
    private final @Nullable Connection shared;
    private final ChunkQueue queue;
    private final LoadedChunks chunks;
    private final RejectLimit limit;
    private final Runnable progress;
    private final List<CopyWorker> workers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile @Nullable TableImport failedIn;

    /**
     * Starts the workers, which report progress.
     *
     * @param shared a connection with an open transaction that all rows go into; null if each chunk has its own
     */
    Loading(
            ImportJob job,
            @Nullable Connection shared,
            ChunkQueue queue,
            LoadedChunks chunks,
            RejectLimit limit,
            Runnable progress) {
        this.job = job;
        this.shared = shared;
        this.queue = queue;
        this.chunks = chunks;
        this.limit = limit;
        this.progress = progress;
        for (int i = 0; i < job.options().writers(); i++) {
            CopyWorker worker = new CopyWorker();
            workers.add(worker);
            threads.add(Daemons.start("import-" + i, worker));
        }
    }

    /** Reads the dump and waits until all of it is loaded; returns the failure that ended it early, or null. */
    @Nullable
    Throwable run(MongoDump dump, DumpReader dumpReader) throws InterruptedException {
        CompletableFuture<Void> read = new CompletableFuture<>();
        Daemons.start("import-read", () -> read(dump, dumpReader, read));
        try {
            CompletableFuture.anyOf(read, queue.failure()).get();
        } catch (ExecutionException e) {
            queue.failed(e.getCause() == null ? e : e.getCause());
        } catch (InterruptedException e) {
            queue.failed(e);
        }
        queue.end();
        if (!queue.hasFailed()) {
            try {
                joinAll(0);
            } catch (InterruptedException e) {
                queue.failed(e);
            }
        }
        if (queue.hasFailed()) {
            giveUp();
        }
        return queue.failure().getNow(null);
    }

    @SuppressWarnings("IllegalCatch") // any failure of the reader ends the import
    private void read(MongoDump dump, DumpReader dumpReader, CompletableFuture<Void> done) {
        try {
            dumpReader.readFrom(dump);
            done.complete(null);
        } catch (Throwable e) {
            reserve = null;
            done.completeExceptionally(e);
        }
    }

    /** Waits for chunks that are being sent, but not forever. */
    private void giveUp() throws InterruptedException {
        long last = GRACE_MILLIS;
        try {
            joinAll(GRACE_MILLIS);
        } catch (InterruptedException e) { // a second interrupt: do not wait for them
            last = ABORTED_MILLIS;
        }
        for (int i = 0; i < workers.size(); i++) {
            if (threads.get(i).isAlive()) {
                workers.get(i).abort();
            }
        }
        joinAll(last);
    }

    /** Waits for the workers, this long in total; 0: forever. */
    private void joinAll(long millis) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        for (Thread thread : threads) {
            if (millis == 0) {
                thread.join();
            } else {
                thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
            }
        }
    }

    /** The table whose chunk could not be loaded; null if something else failed, or nothing. */
    @Nullable
    TableImport failedIn() {
        return failedIn;
    }

    double convertSeconds() {
        return workers.stream().mapToDouble(CopyWorker::convertSeconds).sum();
    }

    double waitSeconds() {
        return workers.stream().mapToDouble(CopyWorker::waitSeconds).sum();
    }

    /** Takes chunks from the queue and loads them over its own connection. After a failure it only returns them. */
    private final class CopyWorker implements Runnable {
        private volatile @Nullable Connection connection;
        private volatile @Nullable CopyRun run;
        /** Whether it has taken the end mark, which each worker gets once. */
        private boolean ended;

        @Override
        @SuppressWarnings(
                "IllegalCatch") // any failure of a worker ends the import, so that no thread waits for it forever
        public void run() {
            try {
                if (shared != null) {
                    work(shared);
                } else {
                    try (Connection opened = job.connector().open(SessionPurpose.CONTROL)) {
                        // otherwise a crash could lose part of one
                        if (job.dialect().commitsInOnePlace()) {
                            ControlSql.execute(opened, "set synchronous_commit = off");
                        }
                        opened.setAutoCommit(false);
                        work(opened);
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (Throwable e) {
                reserve = null;
                queue.failed(e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e);
                discardAll();
            }
        }

        /** Returns chunks after a failure, so that the reader does not wait for them forever. */
        private void discardAll() {
            try {
                while (!ended) {
                    ChunkQueue.Work work = queue.take();
                    ended = work.chunk() == null;
                    queue.done(work);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void work(Connection writes)
                throws InterruptedException, ExecutionException, SQLException, IOException {
            connection = writes;
            CopyRun mine = new CopyRun(writes, job.options());
            run = mine;
            ChunkTransaction transaction =
                    new ChunkTransaction(writes, shared != null, job.dialect().hasSavepoints());
            ChunkLoader loader = new ChunkLoader(transaction, chunks, mine, limit);
            while (true) {
                ChunkQueue.Work work = queue.take();
                if (work.table() == null || work.chunk() == null) {
                    ended = true;
                    mine.release();
                    return;
                }
                try {
                    if (!queue.hasFailed()) {
                        long start = System.nanoTime();
                        queue.parse(work);
                        mine.converted(System.nanoTime() - start);
                        loader.load(work.table(), work.chunk());
                    }
                } catch (SQLException | IOException e) {
                    failedIn = work.table();
                    throw e;
                } finally {
                    queue.done(work);
                }
                progress.run();
            }
        }

        /** Cancels the statement that it is waiting for. */
        void abort() {
            Connection open = connection;
            if (open != null) {
                DriverSession.abort(open);
            }
        }

        double convertSeconds() {
            CopyRun mine = run;
            return mine == null ? 0 : mine.convertSeconds();
        }

        double waitSeconds() {
            CopyRun mine = run;
            return mine == null ? 0 : mine.waitSeconds();
        }
    }
}
