package io.pgstress.importer;

import io.pgstress.importer.progress.LoadedChunks;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.DriverSession;
import io.pgstress.target.driver.SessionPurpose;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Takes chunks from the queue and loads them over its own connection. After a failure it only returns them. */
final class CopyWorker implements Runnable {
    private final ChunkQueue queue;
    private final Connector connector;
    private final ImportOptions options;
    private final LoadedChunks chunks;
    private final boolean waitsForDisk;
    private final Runnable progress;
    private volatile @Nullable Connection connection;
    private volatile @Nullable CopyRun run;
    /** Whether it has taken the end mark, which each worker gets once. */
    private boolean ended;

    /** @param waitsForDisk whether commits must wait for the disk, because a crash could otherwise lose part of one */
    CopyWorker(
            ChunkQueue queue,
            Connector connector,
            ImportOptions options,
            LoadedChunks chunks,
            boolean waitsForDisk,
            Runnable progress) {
        this.queue = queue;
        this.connector = connector;
        this.options = options;
        this.chunks = chunks;
        this.waitsForDisk = waitsForDisk;
        this.progress = progress;
    }

    @Override
    @SuppressWarnings("IllegalCatch") // any failure of a worker ends the import, so that no thread waits for it forever
    public void run() {
        try (Connection opened = connector.open(SessionPurpose.CONTROL)) {
            connection = opened;
            if (!waitsForDisk) {
                ControlSql.execute(opened, "set synchronous_commit = off");
            }
            opened.setAutoCommit(false);
            CopyRun mine = new CopyRun(opened, options);
            run = mine;
            work(new ChunkLoader(opened, chunks, mine, options.tables().verify()));
            mine.release();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            queue.failed(e);
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

    private void work(ChunkLoader loader) throws InterruptedException, SQLException, IOException {
        while (true) {
            ChunkQueue.Work work = queue.take();
            if (work.table() == null || work.chunk() == null) {
                ended = true;
                return;
            }
            try {
                if (!queue.hasFailed()) {
                    loader.load(work.table(), work.chunk());
                }
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
