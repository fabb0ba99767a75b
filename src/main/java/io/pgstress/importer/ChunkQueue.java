package io.pgstress.importer;

import io.pgstress.bson.Chunk;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Chunks between the reader and the workers: as many as there are, and no more, so that memory is bounded. The first
 * failure of a worker ends everything. Thread-safe.
 */
final class ChunkQueue {
    /** A chunk with the table it goes into; without one: there is nothing more. */
    record Work(@Nullable TableImport table, @Nullable Chunk chunk) {}

    private static final Work END = new Work(null, null);

    private final BlockingQueue<Work> full;
    private final BlockingQueue<Chunk> free;
    private final int workers;
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

    ChunkQueue(int chunks, int chunkBytes, int workers) {
        this.full = new ArrayBlockingQueue<>(chunks + workers);
        this.free = new ArrayBlockingQueue<>(chunks + 1);
        this.workers = workers;
        for (int i = 0; i < chunks; i++) {
            free.add(new Chunk(chunkBytes));
        }
    }

    /** Waits for an empty chunk. */
    Chunk empty() throws InterruptedException {
        return free.take();
    }

    void giveBack(Chunk chunk) {
        free.add(chunk);
    }

    void put(TableImport table, Chunk chunk) throws InterruptedException {
        full.put(new Work(table, chunk));
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

    void failed(Exception e) {
        failure.compareAndSet(null, e);
    }

    @Nullable
    Exception failure() {
        return failure.get();
    }
}
