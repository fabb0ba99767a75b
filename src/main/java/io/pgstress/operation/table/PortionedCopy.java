package io.pgstress.operation.table;

import io.pgstress.operation.OperationType.SetUpWork;
import io.pgstress.target.driver.CopyStream;
import io.pgstress.text.Rounded;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Fills a table with numbered rows by COPYs of one portion each, several at a time, and reports progress. Single use. */
public final class PortionedCopy {
    private static final int MAX_CONNECTIONS = 8;
    private static final long REPORT_SECONDS = 5;
    private static final int BUFFER = 1 << 16;

    /** Writes rows in COPY's text format. Used by one thread. */
    @FunctionalInterface
    public interface Rows {
        /** Writes a row and returns its end. */
        int write(long number, byte[] to, int from);
    }

    /**
     * The rows of a table.
     *
     * @param table its name, followed by the columns in parentheses
     * @param rows their number; they are numbered from 1
     * @param portion rows per portion; the last one may have fewer
     * @param maxRowBytes the greatest length of a row
     * @param portions the rows of a portion, by its number from 0
     */
    public record Content(String table, long rows, int portion, int maxRowBytes, LongFunction<Rows> portions) {
        private long count() {
            return (rows + portion - 1) / portion;
        }
    }

    private final Content content;
    private final AtomicLong next = new AtomicLong();
    private final AtomicLong done = new AtomicLong();
    private volatile boolean isStopped;

    private PortionedCopy(Content content) {
        this.content = content;
    }

    /**
     * Fills the table.
     *
     * @param work where further connections come from; null: it is filled on {@code control}, as is one portion
     */
    public static void fill(Connection control, @Nullable SetUpWork work, Content content) throws SQLException {
        PortionedCopy copy = new PortionedCopy(content);
        if (work == null || content.count() <= 1) {
            copy.fill(control);
        } else {
            copy.fill(work);
        }
    }

    private void fill(Connection connection) throws SQLException {
        byte[] bytes = new byte[BUFFER];
        for (long portion = next.getAndIncrement();
                portion < content.count() && !isStopped;
                portion = next.getAndIncrement()) {
            copy(connection, portion, bytes);
        }
    }

    private void fill(SetUpWork work) throws SQLException {
        int connections = (int) Math.min(
                content.count(),
                Math.min(MAX_CONNECTIONS, 2 * Runtime.getRuntime().availableProcessors()));
        ExecutorService threads = Executors.newFixedThreadPool(connections);
        List<Future<?>> fills = new ArrayList<>();
        try {
            for (int i = 0; i < connections; i++) {
                fills.add(threads.submit(() -> {
                    try (Connection connection = work.connections().open()) {
                        fill(connection);
                    } catch (SQLException | RuntimeException e) {
                        isStopped = true; // the others would copy for nothing
                        throw e;
                    }
                    return null;
                }));
            }
            for (Future<?> fill : fills) {
                await(fill, work);
            }
        } finally {
            isStopped = true;
            threads.shutdown();
        }
    }

    private void await(Future<?> fill, SetUpWork work) throws SQLException {
        while (true) {
            try {
                fill.get(REPORT_SECONDS, TimeUnit.SECONDS);
                return;
            } catch (TimeoutException e) {
                work.progress()
                        .accept(Rounded.format(
                                "filling %s: %,d of %,d rows",
                                content.table().replaceFirst(" .*", ""), done.get(), content.rows()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new SQLException("interrupted while filling " + content.table(), e);
            } catch (ExecutionException e) {
                throw e.getCause() instanceof SQLException cause ? cause : new SQLException(e.getCause());
            }
        }
    }

    private void copy(Connection connection, long portion, byte[] bytes) throws SQLException {
        Rows rows = content.portions().apply(portion);
        long before = portion * content.portion();
        long end = Math.min(content.rows(), before + content.portion());
        CopyStream copy = CopyStream.open(connection, "copy " + content.table() + " from stdin");
        try {
            int at = 0;
            for (long row = before + 1; row <= end && !isStopped; row++) {
                if (at > bytes.length - content.maxRowBytes()) {
                    copy.write(bytes, 0, at);
                    at = 0;
                }
                at = rows.write(row, bytes, at);
            }
            copy.write(bytes, 0, at);
            if (!isStopped) {
                copy.end();
                done.addAndGet(end - before);
            }
        } finally {
            copy.cancel();
        }
    }
}
