package io.pgstress.importer;

import io.pgstress.bson.Chunk;
import io.pgstress.importer.table.TableImport;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Chunks between the reader and the workers: as many as there are, and no more, so that memory is bounded. Those with large
 * documents, whose rows take a multiple of their bytes, are admitted by their bytes besides. The first failure ends
 * everything. Thread-safe.
 */
final class ChunkQueue {
    /** A chunk with the table it goes into; without one: there is nothing more. */
    record Work(@Nullable TableImport table, @Nullable Chunk chunk, int admitted) {}

    private static final Work END = new Work(null, null, 0);
    /** A document from here on is admitted by its bytes. */
    private static final int LARGE = 256 << 10;
    /** Bytes of BSON, of its row and of a buffer that grows, for each byte of a large document. */
    private static final int BYTES_A_BYTE = 8;

    private static final int UNIT = 1 << 10;

    private final BlockingQueue<Work> full;
    private final BlockingQueue<Chunk> free;
    private final int chunkBytes;
    private final int workers;
    private final int units;
    private final Semaphore large;
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();

    /** @param heap bytes that may be used */
    ChunkQueue(int jobs, int chunkBytes, long heap) {
        int chunks = (int) Math.max(2, Math.min(2L * jobs + 1, heap / 4 / chunkBytes));
        this.full = new ArrayBlockingQueue<>(chunks + jobs);
        this.free = new ArrayBlockingQueue<>(chunks);
        this.chunkBytes = chunkBytes;
        this.workers = jobs;
        this.units = (int) Math.min(Integer.MAX_VALUE, heap / 3 / UNIT);
        this.large = new Semaphore(units);
        for (int i = 0; i < chunks; i++) {
            free.add(new Chunk(0)); // the reader makes room
        }
    }

    /** Waits for an empty chunk. */
    Chunk empty() throws InterruptedException {
        return free.take();
    }

    /** Takes back a chunk that was not put. What a large document made it grow to is not kept. */
    void giveBack(Chunk chunk) {
        free.add(chunk.array().length > chunkBytes ? new Chunk(0) : chunk);
    }

    /** Takes back the chunk of work that is done. */
    void done(Work work) {
        large.release(work.admitted());
        if (work.chunk() != null) {
            giveBack(work.chunk());
        }
    }

    void put(TableImport table, Chunk chunk) throws InterruptedException {
        int largest = 0;
        for (int i = 0; i < chunk.count(); i++) {
            largest = Math.max(largest, chunk.size(i));
        }
        int admitted = largest < LARGE ? 0 : (int) Math.min(units, (long) largest * BYTES_A_BYTE / UNIT);
        large.acquire(admitted);
        full.put(new Work(table, chunk, admitted));
    }

    /** Waits for work. */
    Work take() throws InterruptedException {
        return full.take();
    }

    /** Nothing more comes. */
    void end() throws InterruptedException {
        for (int i = 0; i < workers; i++) {
            full.put(END);
        }
    }

    /** All is loaded: gives the memory back, for large rows that are read. */
    void release() {
        free.clear();
    }

    void failed(Throwable e) {
        failure.complete(e);
    }

    boolean hasFailed() {
        return failure.isDone();
    }

    /** Ends with the first failure; never where there is none. */
    CompletableFuture<Throwable> failure() {
        return failure;
    }
}
