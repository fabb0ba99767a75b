package io.pgstress.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Chunk;
import io.pgstress.bson.Fault.Reject;
import io.pgstress.importer.ChunkQueue.Work;
import io.pgstress.target.loop.Daemons;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Chunks of text are parsed by whichever thread would have to wait. */
@Timeout(60)
final class ChunkQueueTest {
    private static final byte[] EMPTY = {5, 0, 0, 0, 0};

    /** So many for one worker. */
    private static final int CHUNKS = 3;

    private final ChunkQueue queue = new ChunkQueue(1, 16, 1 << 30);
    private final CompletableFuture<@Nullable Void> begun = new CompletableFuture<>();
    private final CompletableFuture<@Nullable Void> othersAreParsed = new CompletableFuture<>();
    private final CompletableFuture<Chunk> emptyChunk = new CompletableFuture<>();

    /** Remembers the thread that used it. */
    private static final class Parser implements Chunk.Parser {
        private final Runnable task;
        private @Nullable Thread by;

        Parser(Runnable task) {
            this.task = task;
        }

        @Override
        public void begin(byte[] text, int length) {
            by = Thread.currentThread();
            task.run();
        }

        @Override
        public @Nullable Reject parse(int from, int to, boolean onlyId, ByteSink sink) {
            sink.put(EMPTY);
            return null;
        }

        @Override
        public void end() {}
    }

    private Parser put(Runnable task) throws InterruptedException {
        Parser parser = new Parser(task);
        Chunk chunk = queue.empty();
        chunk.restart(16, 0, 0);
        chunk.addText(new byte[] {'{', '}'}, 2, 0, 1, parser);
        queue.put(null, chunk);
        return parser;
    }

    /** Begins to parse the first chunk in a thread that waits for an empty one. */
    private Thread startReader() {
        Thread reader = Daemons.start("reader", () -> {
            try {
                emptyChunk.complete(queue.empty());
            } catch (InterruptedException e) {
                emptyChunk.completeExceptionally(e);
            }
        });
        begun.join();
        return reader;
    }

    private void waitForOthers() {
        begun.complete(null);
        othersAreParsed.join();
    }

    @Test
    void whoeverWaitsParsesOtherChunks() throws Exception {
        Parser first = put(this::waitForOthers);
        Parser second = put(() -> {});
        Parser third = put(() -> othersAreParsed.complete(null));
        Thread reader = startReader();
        Work work = queue.take();

        queue.parse(work);

        assertThat(List.of(first.by, second.by, third.by))
                .containsExactly(reader, Thread.currentThread(), Thread.currentThread());
        queue.done(work);
        assertThat(emptyChunk.join()).isSameAs(work.chunk());
    }

    @Test
    void failureInAnotherThreadIsThatOfTheChunk() throws Exception {
        put(() -> {
            begun.complete(null);
            throw new IllegalStateException("too deep");
        });
        put(() -> {});
        put(() -> {});
        startReader();
        Work work = queue.take();

        assertThatThrownBy(() -> queue.parse(work))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .hasMessage("too deep");
    }

    /** Otherwise an import of many large documents would stand still once they have filled the heap together. */
    @Test
    void memoryOfLargeDocumentsIsGivenBack() throws Exception {
        ChunkQueue small = new ChunkQueue(1, 16, 12 << 20); // a third of it is for two of them
        byte[] large = new byte[256 << 10];
        for (int i = 0; i < 20; i++) {
            Chunk chunk = small.empty();
            chunk.restart(16, i, 0);
            System.arraycopy(large, 0, chunk.add(large.length), 0, large.length);
            small.put(null, chunk);
            Work work = small.take();
            small.parse(work);
            small.done(work);
        }
        assertThat(small.hasFailed()).isFalse();
    }

    /** After the import has failed, workers give chunks back that another thread still reads. */
    @Test
    void chunkThatIsBeingParsedIsNotUsedAgain() throws Exception {
        put(this::waitForOthers);
        put(() -> {});
        put(() -> {});
        startReader();
        List<Chunk> before = new ArrayList<>();
        for (int i = 0; i < CHUNKS; i++) {
            Work work = queue.take();
            before.add(work.chunk());
            queue.done(work);
        }

        List<Chunk> after = List.of(queue.empty(), queue.empty(), queue.empty());

        assertThat(after).doesNotContain(before.get(0)).contains(before.get(1), before.get(2));
        assertThat(before.get(0).count()).isOne();
        othersAreParsed.complete(null);
    }
}
