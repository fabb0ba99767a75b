package io.pgstress.report.file;

import io.pgstress.measure.OperationLog;
import io.pgstress.measure.Outcome;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A log of single operations in the format of {@code pgbench --log}, or of intervals in that of {@code --aggregate-interval}, as PostgreSQL 15
 * documents them. A client only appends four longs to an array of its own, and hands the array over when it is full or an interval of the
 * run ends. A thread of the log writes what was handed over. If it cannot keep up, at most {@value #MAX_WAITING} arrays wait; a client
 * that finds so many drops its own, and {@link #close} returns how many operations are missing. So no client ever waits for the file.
 * Lines of one client are in order, lines of several clients are not.
 */
public final class PgbenchLog {
    private static final int LONGS = 4;

    /** The operations of an array. */
    private static final int ENTRIES = 128;

    /** 64 MB. */
    private static final int MAX_WAITING = 16_384;

    private static final long LOOK_NANOS = 10_000_000;

    /** An operation is appended soon after it ended: the client is held up for less, or its operation counts later. */
    private static final long SETTLE_NANOS = 1_000_000_000;

    private static final long MICROS = 1_000_000;

    /** Longer than any run, and short enough for differences of the clock. */
    private static final long NEVER = Long.MAX_VALUE / 4;

    private final OutputStream out;
    private final Format format;
    private final int maxWaiting;
    private final Queue<ClientLog> clients = new ConcurrentLinkedQueue<>();
    private final Queue<Batch> full = new ConcurrentLinkedQueue<>();
    private final Queue<long[]> empty = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicLong lost = new AtomicLong();
    private final Thread writer = new Thread(this::write, "pgbench log");
    private volatile boolean hasEnded;
    private @Nullable IOException failure;

    /** What a client has handed over. */
    private static final class Batch {
        private final int client;
        /** The number of its first operation among those of the client. */
        private final long first;

        private final long[] entries;
        private final int used;

        Batch(int client, long first, long[] entries, int used) {
            this.client = client;
            this.first = first;
            this.entries = entries;
            this.used = used;
        }
    }

    /** An operation; times are in microseconds. */
    private record Line(
            int client,
            long number,
            int operation,
            boolean hasFailed,
            boolean isOpen,
            long time,
            long lag,
            long end,
            long retries) {}

    /** What the file contains. Belongs to the writing thread. */
    private interface Format {
        void add(Line line, StringBuilder text);

        /** All operations that ended before this time have been added, in microseconds since 1970. */
        void settled(long until, StringBuilder text);

        void end(StringBuilder text);
    }

    private PgbenchLog(OutputStream out, Format format, int maxWaiting) {
        this.out = out;
        this.format = format;
        this.maxWaiting = maxWaiting;
        writer.setDaemon(true);
        writer.start();
    }

    /**
     * Begins a log.
     *
     * @param out is closed with the log
     * @param aggregateSeconds the length of an interval; 0: one line per operation
     * @param hasRetries whether failed operations are tried again, so that lines have the number of retries
     */
    public static PgbenchLog to(OutputStream out, int aggregateSeconds, boolean hasRetries) {
        return to(out, aggregateSeconds, hasRetries, MAX_WAITING);
    }

    static PgbenchLog to(OutputStream out, int aggregateSeconds, boolean hasRetries, int maxWaiting) {
        Format format = aggregateSeconds == 0 ? new Transactions(hasRetries) : new Aggregates(aggregateSeconds);
        return new PgbenchLog(new BufferedOutputStream(out, 1 << 16), format, maxWaiting);
    }

    /** Where a client logs its operations. */
    public OperationLog ofClient(int client) {
        ClientLog own = new ClientLog(client);
        clients.add(own);
        return own;
    }

    /**
     * Writes the rest. The clients have ended, or are given up.
     *
     * @return how many operations are missing, because more were waiting than is permitted
     * @throws IOException if the file could not be written
     */
    public long close() throws IOException, InterruptedException {
        end();
        writer.join();
        if (failure != null) {
            throw failure;
        }
        return lost.get();
    }

    /** Lets the thread of the log end after what was handed over, without waiting for it. */
    public void end() {
        hasEnded = true;
        LockSupport.unpark(writer);
    }

    private void write() {
        try (out) {
            Clock clock = Clock.now();
            StringBuilder text = new StringBuilder();
            for (boolean isLast = false; !isLast; ) {
                isLast = hasEnded; // before the queue is read for the last time
                long settled = clients.stream()
                        .mapToLong(client -> client.oldest)
                        .reduce(System.nanoTime() - SETTLE_NANOS, (a, b) -> a - b < 0 ? a : b);
                for (Batch batch = full.poll(); batch != null; batch = full.poll()) {
                    waiting.decrementAndGet();
                    add(batch, clock, text);
                    empty.add(batch.entries);
                    flush(text);
                }
                format.settled(clock.epochMicros(settled), text);
                flush(text);
                out.flush();
                if (!isLast) {
                    LockSupport.parkNanos(this, LOOK_NANOS);
                }
            }
            format.end(text);
            flush(text);
        } catch (IOException e) {
            failure = e;
        }
    }

    private void add(Batch batch, Clock clock, StringBuilder text) {
        for (int at = 0; at < batch.used; at += LONGS) {
            long[] entries = batch.entries;
            long packed = entries[at + 3];
            format.add(
                    new Line(
                            batch.client,
                            batch.first + at / LONGS,
                            (int) (packed >>> 8) & 0xffff,
                            (packed & 2) != 0,
                            (packed & 1) != 0,
                            micros(entries[at + 1]),
                            micros(entries[at + 2]),
                            clock.epochMicros(entries[at]),
                            packed >>> 32),
                    text);
        }
    }

    private void flush(StringBuilder text) throws IOException {
        out.write(text.toString().getBytes(StandardCharsets.ISO_8859_1));
        text.setLength(0);
    }

    private static long micros(long nanos) {
        return (nanos + 500) / 1000;
    }

    /** The wall clock at one moment, from which times count on by the monotonic clock. */
    private record Clock(long nanos, long micros) {
        static Clock now() {
            return new Clock(System.nanoTime(), ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
        }

        long epochMicros(long at) {
            return micros + Math.floorDiv(at - nanos, 1000L);
        }
    }

    private final class ClientLog implements OperationLog {
        private final int client;
        private long first = 1; // as pgbench counts, although its manual begins with 0
        private long[] entries = new long[ENTRIES * LONGS];
        private int used;

        /** When the first operation ended that was not handed over; read by the thread of the log. */
        private volatile long oldest = System.nanoTime() + NEVER;

        ClientLog(int client) {
            this.client = client;
        }

        @Override
        public void ended(
                int operation, Outcome outcome, boolean isOpen, long nanos, long lagNanos, long end, int retries) {
            boolean hasFailed = outcome == Outcome.FAILED || outcome == Outcome.UNFINISHED;
            long[] own = entries;
            int at = used;
            if (at == 0) {
                oldest = end;
            }
            own[at] = end;
            own[at + 1] = nanos;
            own[at + 2] = lagNanos;
            own[at + 3] = (long) retries << 32 | (long) operation << 8 | (hasFailed ? 2 : 0) | (isOpen ? 1 : 0);
            used = at + LONGS;
            if (used == own.length) {
                handOver();
            }
        }

        @Override
        public void handOver() {
            if (used == 0) {
                return;
            }
            int count = used / LONGS;
            if (waiting.incrementAndGet() > maxWaiting) {
                waiting.decrementAndGet();
                lost.addAndGet(count);
            } else {
                full.add(new Batch(client, first, entries, used));
                long[] next = empty.poll();
                entries = next == null ? new long[ENTRIES * LONGS] : next;
            }
            first += count;
            used = 0;
            oldest = System.nanoTime() + NEVER;
        }
    }

    /** {@code client_id transaction_no time script_no time_epoch time_us [schedule_lag] [retries]}. */
    private record Transactions(boolean hasRetries) implements Format {
        @Override
        public void add(Line line, StringBuilder text) {
            text.append(line.client).append(' ').append(line.number).append(' ');
            if (line.hasFailed) {
                text.append("failed");
            } else {
                text.append(line.time);
            }
            text.append(' ').append(line.operation).append(' ');
            text.append(line.end / MICROS).append(' ').append(line.end % MICROS);
            if (line.isOpen) {
                text.append(' ').append(line.hasFailed ? 0 : line.lag);
            }
            if (hasRetries) {
                text.append(' ').append(line.retries);
            }
            text.append('\n');
        }

        @Override
        public void settled(long until, StringBuilder text) {}

        @Override
        public void end(StringBuilder text) {}
    }

    /**
     * One line per interval from the first to the last with an operation; intervals begin at whole seconds of the wall clock. A line is written
     * once every client has handed over its operations of the interval. An operation that arrives later counts in the next interval, so none
     * is missing.
     */
    private static final class Aggregates implements Format {
        private final long seconds;
        private final TreeMap<Long, Aggregate> byNumber = new TreeMap<>();
        private long start = -1;
        private long next = Long.MIN_VALUE;

        Aggregates(long seconds) {
            this.seconds = seconds;
        }

        @Override
        public void add(Line line, StringBuilder text) {
            long second = line.end / MICROS;
            start = start < 0 ? second : start;
            long number = Math.max(next, Math.floorDiv(second - start, seconds));
            byNumber.computeIfAbsent(number, n -> new Aggregate()).add(line);
        }

        @Override
        public void settled(long until, StringBuilder text) {
            while (!byNumber.isEmpty()) {
                long first = next == Long.MIN_VALUE ? byNumber.firstKey() : next;
                if (until < (start + (first + 1) * seconds) * MICROS) {
                    return;
                }
                append(first, text);
            }
        }

        /** Intervals without an operation between others have a line. */
        private void append(long number, StringBuilder text) {
            Aggregate own = byNumber.remove(number);
            (own == null ? new Aggregate() : own).append(start + number * seconds, text);
            next = number + 1;
        }

        @Override
        public void end(StringBuilder text) {
            settled(Long.MAX_VALUE, text);
        }
    }

    /**
     * The sums of an interval. Failed operations are not told by their cause, as pgbench tells them only with {@code --failures-detailed}, and
     * none is skipped.
     */
    private static final class Aggregate {
        private final Sums times = new Sums();
        private final Sums lags = new Sums();
        private long retried;
        private long retries;

        void add(Line line) {
            retried += line.retries > 0 ? 1 : 0;
            retries += line.retries;
            if (!line.hasFailed) {
                times.add((double) line.time);
                if (line.isOpen) {
                    lags.add((double) line.lag);
                }
            }
        }

        void append(long start, StringBuilder text) {
            text.append(start).append(' ').append(times.count).append(times).append(lags);
            text.append(" 0 ").append(retried).append(' ').append(retries).append(" 0 0\n");
        }
    }

    /** Sum, sum of squares, minimum and maximum; all 0 without a value. */
    private static final class Sums {
        private long count;
        private double sum;
        private double squares;
        private double least;
        private double most;

        void add(double value) {
            least = count == 0 ? value : Math.min(least, value);
            most = count == 0 ? value : Math.max(most, value);
            count++;
            sum += value;
            squares += value * value;
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, " %.0f %.0f %.0f %.0f", sum, squares, least, most);
        }
    }
}
