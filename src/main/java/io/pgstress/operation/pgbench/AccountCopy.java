package io.pgstress.operation.pgbench;

import io.pgstress.operation.SetUpWork;
import io.pgstress.target.driver.CopyStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** Fills {@code pgbench_accounts} by COPYs of one branch's accounts each, several at a time. Single use. */
final class AccountCopy {
    private static final int MAX_CONNECTIONS = 8;
    private static final long REPORT_SECONDS = 5;
    private static final int PORTION = 1 << 16;
    private static final int MAX_LINE = 40;
    private static final String SQL = "copy pgbench_accounts (aid, bid, abalance, filler) from stdin";

    private final int scale;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();
    private volatile boolean isStopped;

    /** @param scale number of branches */
    AccountCopy(int scale) {
        this.scale = scale;
    }

    /** Fills the table on one connection. */
    void fill(Connection connection) throws SQLException {
        byte[] bytes = new byte[PORTION];
        for (int branch = next.incrementAndGet(); branch <= scale && !isStopped; branch = next.incrementAndGet()) {
            copy(CopyStream.open(connection, SQL), branch, bytes);
            done.incrementAndGet();
        }
    }

    /** Fills the table on connections of its own, and reports progress. */
    void fill(SetUpWork work) throws SQLException {
        int connections = Math.min(
                scale, Math.min(MAX_CONNECTIONS, 2 * Runtime.getRuntime().availableProcessors()));
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
                work.progress().accept(progress());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new SQLException("interrupted while filling pgbench_accounts", e);
            } catch (ExecutionException e) {
                throw e.getCause() instanceof SQLException cause ? cause : new SQLException(e.getCause());
            }
        }
    }

    private String progress() {
        return String.format(
                Locale.ROOT,
                "filling pgbench_accounts: %,d of %,d rows",
                (long) done.get() * PgbenchTables.ACCOUNTS,
                (long) scale * PgbenchTables.ACCOUNTS);
    }

    private static int write(long number, byte[] to, int from) {
        int end = from + Long.toString(number).length();
        long rest = number;
        for (int i = end - 1; i >= from; i--) {
            to[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        return end;
    }

    private void copy(CopyStream copy, int branch, byte[] bytes) throws SQLException {
        try {
            byte[] rest = ("\t" + branch + "\t0\t\n").getBytes(StandardCharsets.US_ASCII);
            long first = (long) (branch - 1) * PgbenchTables.ACCOUNTS + 1;
            int at = 0;
            for (long account = first; account < first + PgbenchTables.ACCOUNTS && !isStopped; account++) {
                if (at > bytes.length - MAX_LINE) {
                    copy.write(bytes, 0, at);
                    at = 0;
                }
                at = write(account, bytes, at);
                System.arraycopy(rest, 0, bytes, at, rest.length);
                at += rest.length;
            }
            copy.write(bytes, 0, at);
            if (!isStopped) {
                copy.end();
            }
        } finally {
            copy.cancel();
        }
    }
}
