package io.pgstress.importer;

import io.pgstress.bson.Chunk;
import io.pgstress.importer.table.TableImport;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Passes chunks between the reader and the workers. Whichever of them would have to wait makes BSON of documents that are written as
 * text. The number of chunks is fixed, so memory is bounded; chunks with large documents, whose rows take several times their bytes, are
 * also limited by bytes. The first failure ends everything. Thread-safe.
 */
final class ChunkQueue {
    /**
     * A chunk and the table that it goes into; without a chunk, the end of the input.
     *
     * @param parsing makes BSON of the chunk; the thread that begins it is the only one that runs it
     */
    record Work(@Nullable TableImport table, @Nullable Chunk chunk, int admitted, FutureTask<Boolean> parsing) {
        static Work of(TableImport table, Chunk chunk, int admitted) {
            return new Work(table, chunk, admitted, new FutureTask<>(chunk::parse, true));
        }
    }

    private static final Work END = new Work(null, null, 0, new FutureTask<>(() -> true));
    /** Documents of at least this many bytes are limited by bytes. */
    private static final int LARGE = 256 << 10;
    /** Memory per byte of a large document: its BSON, its row and a growing buffer. */
    private static final int MEMORY_PER_BYTE = 8;

    private static final int UNIT_BYTES = 1 << 10;

    private final BlockingQueue<Work> full;
    private final BlockingQueue<Chunk> free;
    /** Of the chunks that are queued or being loaded, those that nobody has begun to parse. */
    private final Queue<FutureTask<Boolean>> unparsed = new ConcurrentLinkedQueue<>();

    private final int chunkBytes;
    private final int workers;
    private final int units;
    private final Semaphore large;
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();

    /** @param heap maximum heap in bytes */
    ChunkQueue(int jobs, int chunkBytes, long heap) {
        int chunks = (int) Math.max(2, Math.min(2L * jobs + 1, heap / 4 / chunkBytes));
        this.full = new ArrayBlockingQueue<>(chunks + jobs);
        this.free = new ArrayBlockingQueue<>(chunks);
        this.chunkBytes = chunkBytes;
        this.workers = jobs;
        this.units = (int) Math.min(Integer.MAX_VALUE, heap / 3 / UNIT_BYTES);
        this.large = new Semaphore(units);
        for (int i = 0; i < chunks; i++) {
            free.add(new Chunk(0)); // the reader allocates it
        }
    }

    /** Waits for an empty chunk, and parses others meanwhile. */
    Chunk empty() throws InterruptedException {
        for (Chunk chunk = free.poll(); ; chunk = free.poll()) {
            if (chunk != null) {
                return chunk;
            }
            if (!parseNext()) {
                return free.take();
            }
        }
    }

    /**
     * Makes BSON of a chunk whose documents are written as text. If another thread does that already, parses others until it is done.
     *
     * @throws ExecutionException if it fails, in whichever thread
     */
    void parse(Work work) throws InterruptedException, ExecutionException {
        FutureTask<Boolean> own = work.parsing();
        unparsed.remove(own);
        own.run(); // does nothing if it was begun
        boolean found = true;
        while (found && !own.isDone()) {
            found = parseNext();
        }
        own.get();
    }

    /** Parses the next chunk that nobody has begun to parse; false if there is none. */
    private boolean parseNext() {
        FutureTask<Boolean> next = unparsed.poll();
        if (next == null) {
            return false;
        }
        next.run();
        return true;
    }

    /** Takes back a chunk that was not queued, and frees the memory that a large document took. */
    void giveBack(Chunk chunk) {
        chunk.discard();
        free.add(chunk.array().length > chunkBytes ? new Chunk(0) : chunk);
    }

    /** Takes back the chunk of finished work. */
    void done(Work work) {
        large.release(work.admitted());
        boolean isUnused = unparsed.remove(work.parsing()) || work.parsing().isDone();
        if (work.chunk() != null) {
            giveBack(isUnused ? work.chunk() : new Chunk(0)); // after a failure, another thread may still parse it
        }
    }

    void put(TableImport table, Chunk chunk) throws InterruptedException {
        int largest = 0;
        for (int i = 0; i < chunk.count(); i++) {
            largest = Math.max(largest, chunk.size(i));
        }
        int admitted = largest < LARGE ? 0 : (int) Math.min(units, (long) largest * MEMORY_PER_BYTE / UNIT_BYTES);
        large.acquire(admitted);
        Work work = Work.of(table, chunk, admitted);
        if (chunk.isText()) {
            unparsed.add(work.parsing());
        }
        full.put(work);
    }

    /** Waits for work. */
    Work take() throws InterruptedException {
        return full.take();
    }

    /** Marks the end of the input. */
    void end() throws InterruptedException {
        for (int i = 0; i < workers; i++) {
            full.put(END);
        }
    }

    /** Frees the memory once everything is loaded, for reading large rows back. */
    void release() {
        free.clear();
    }

    void failed(Throwable e) {
        failure.complete(e);
    }

    boolean hasFailed() {
        return failure.isDone();
    }

    /** Completes with the first failure; never completes without one. */
    CompletableFuture<Throwable> failure() {
        return failure;
    }
}
