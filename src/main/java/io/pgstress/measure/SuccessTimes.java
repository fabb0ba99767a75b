package io.pgstress.measure;

import io.pgstress.measure.SuccessTimes.LongWait;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The milliseconds in which operations on one node were answered, and the number of successes in each slot of {@value
 * #SLOT_MILLIS} ms. Times count from the start of the load, pauses excluded. Thread-safe without waiting: a client writes at
 * most once per millisecond. An hour takes 700 KB.
 */
public final class SuccessTimes {
    /** One bit of a word for each millisecond. */
    public static final int SLOT_MILLIS = 64;

    static final long MILLI = 1_000_000;
    private static final int SLOTS = 1024;

    /** Twelve days; later times go to the last chunk. */
    private static final int CHUNKS = 16_384;

    /** After the last chunk of an encoded object. */
    private static final int END = -1;

    /** About a minute. */
    private record Chunk(AtomicLongArray bits, AtomicIntegerArray counts) {
        Chunk() {
            this(new AtomicLongArray(SLOTS), new AtomicIntegerArray(SLOTS));
        }

        /** Adds a chunk that has no more writers to one that only the caller uses. */
        void add(Chunk other) {
            for (int i = 0; i < SLOTS; i++) {
                bits.set(i, bits.get(i) | other.bits.get(i));
                counts.addAndGet(i, other.counts.get(i));
            }
        }
    }

    private final AtomicReferenceArray<@Nullable Chunk> chunks = new AtomicReferenceArray<>(CHUNKS);
    private final Queue<SuccessTracker> clients = new ConcurrentLinkedQueue<>();
    private final Queue<LongWait> waitsOfOthers = new ConcurrentLinkedQueue<>();

    /** The sum over several nodes. */
    public static SuccessTimes together(List<SuccessTimes> nodes) {
        SuccessTimes all = new SuccessTimes();
        for (SuccessTimes node : nodes) {
            for (int c = 0; c < CHUNKS; c++) {
                Chunk chunk = node.chunks.get(c);
                if (chunk != null) {
                    all.chunk(c * SLOTS).add(chunk);
                }
            }
            all.clients.addAll(node.clients);
            all.waitsOfOthers.addAll(node.waitsOfOthers);
        }
        return all;
    }

    static int slot(long milli) {
        return (int) (milli / SLOT_MILLIS);
    }

    void add(SuccessTracker client) {
        clients.add(client);
    }

    /** Marks a millisecond in which an operation was answered. */
    void mark(long milli) {
        int slot = slot(milli);
        AtomicLongArray bits = chunk(slot).bits;
        long bit = 1L << milli % SLOT_MILLIS;
        long old = bits.get(slot % SLOTS);
        while ((old & bit) == 0 && !bits.compareAndSet(slot % SLOTS, old, old | bit)) {
            old = bits.get(slot % SLOTS);
        }
    }

    /** Adds successes. */
    void count(int slot, int succeeded) {
        chunk(slot).counts.addAndGet(slot % SLOTS, succeeded);
    }

    private Chunk chunk(int slot) {
        int index = Math.min(slot / SLOTS, CHUNKS - 1);
        Chunk known = chunks.get(index);
        if (known == null) {
            Chunk made = new Chunk();
            Chunk other = chunks.compareAndExchange(index, null, made);
            return other == null ? made : other;
        }
        return known;
    }

    /** All of it, compressed, for another host; call it when all clients have ended. */
    public byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(new DeflaterOutputStream(bytes))) {
            for (int c = 0; c < CHUNKS; c++) {
                Chunk chunk = chunks.get(c);
                if (chunk != null) {
                    out.writeInt(c);
                    for (int i = 0; i < SLOTS; i++) {
                        out.writeLong(chunk.bits.get(i));
                        out.writeInt(chunk.counts.get(i));
                    }
                }
            }
            out.writeInt(END);
            List<LongWait> all = waits();
            out.writeInt(all.size());
            for (LongWait wait : all) {
                out.writeLong(wait.since());
                out.writeLong(wait.end());
                out.writeLong(wait.idle());
                out.writeLong(wait.failed());
                out.writeLong(wait.longest());
                out.writeInt(wait.operation());
                out.writeBoolean(wait.isAnswered());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot happen in memory", e);
        }
        return bytes.toByteArray();
    }

    /**
     * Adds what another host recorded.
     *
     * @param encoded by {@link #encode}
     * @param host its number
     * @throws IllegalArgumentException if it is something else
     */
    public void add(byte[] encoded, int host) {
        try (DataInputStream in = new DataInputStream(new InflaterInputStream(new ByteArrayInputStream(encoded)))) {
            for (int c = in.readInt(); c != END; c = in.readInt()) {
                if (c < 0 || c >= CHUNKS) {
                    throw new IllegalArgumentException("chunk " + c + " of success times");
                }
                Chunk chunk = chunk(c * SLOTS);
                for (int i = 0; i < SLOTS; i++) {
                    long bits = in.readLong();
                    chunk.bits.accumulateAndGet(i, bits, (a, b) -> a | b);
                    chunk.counts.addAndGet(i, in.readInt());
                }
            }
            for (int waits = in.readInt(); waits > 0; waits--) {
                waitsOfOthers.add(new LongWait(
                        in.readLong(),
                        in.readLong(),
                        in.readLong(),
                        in.readLong(),
                        in.readLong(),
                        in.readInt(),
                        in.readBoolean(),
                        host));
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("not success times: " + e.getMessage(), e);
        }
    }

    private @Nullable Chunk known(int slot) {
        return slot >= 0 && slot / SLOTS < CHUNKS ? chunks.get(slot / SLOTS) : null;
    }

    /** Successes in a slot; the last successes of a client that never ended may be missing. */
    public int succeeded(int slot) {
        Chunk chunk = known(slot);
        return chunk == null ? 0 : chunk.counts.get(slot % SLOTS);
    }

    /** The first millisecond with an answer at or after this one; {@link Long#MAX_VALUE} if there is none. */
    public long next(long milli) {
        long mask = -1L << milli % SLOT_MILLIS;
        for (int slot = slot(milli); slot / SLOTS < CHUNKS; slot++) {
            Chunk chunk = chunks.get(slot / SLOTS);
            if (chunk == null) {
                slot |= SLOTS - 1; // the last one of it
            } else {
                long found = chunk.bits.get(slot % SLOTS) & mask;
                if (found != 0) {
                    return (long) slot * SLOT_MILLIS + Long.numberOfTrailingZeros(found);
                }
            }
            mask = -1L;
        }
        return Long.MAX_VALUE;
    }

    /** The longest waits of its clients, in no particular order. */
    public List<LongWait> waits() {
        List<LongWait> all = new ArrayList<>(waitsOfOthers);
        clients.forEach(c -> c.waits(all));
        return all;
    }

    /**
     * A period in which one client tried but had no success: one long operation, or failures and the operations up to the next
     * success. Times are nanoseconds since the start of the load, pauses excluded.
     *
     * @param since the start of its first operation
     * @param end the end of the next success, or of the last operation if there was none
     * @param idle time within it, between the last failure and the success, when no operation was running and none was to be retried
     * @param failed operations that failed, or missed unexpectedly
     * @param longest the time of its longest operation
     * @param operation the number of that operation
     * @param isAnswered whether it ended with a success
     * @param host the number of the client's host, from 0 on
     */
    public record LongWait(
            long since, long end, long idle, long failed, long longest, int operation, boolean isAnswered, int host) {
        /** The time that the client tried. */
        public long tried() {
            return end - since - idle;
        }
    }

    /**
     * Records when one client's operations were answered, and its longest waits for an answer. A miss and a duplicate of an
     * operation that expects them are answers too; others are handed in as failures. Written by the client's thread only, at the cost of two comparisons per operation. Any thread may call {@link #waits}
     * once the client has ended or its operation was claimed.
     */
    static final class SuccessTracker {
        /** Shorter operations are never kept. */
        static final long MIN_NANOS = ClientRecorder.LONG_NANOS;

        /** Number of waits kept, the longest ones. */
        static final int MAX_WAITS = 32;

        private final SuccessTimes times;
        private final @Nullable LongWait[] waits = new LongWait[MAX_WAITS];
        private int kept;
        private long shortest;
        private long nextMilli;
        private int slot;
        private int ok;
        private long failed;
        private long since;
        private long lastEnd;
        private long longest;
        private int operation;

        SuccessTracker(SuccessTimes times) {
            this.times = times;
            times.add(this);
        }

        /** Records the end of an operation; times are the clock's. */
        void ended(Outcome outcome, int number, long start, long end, long origin) {
            if (outcome == Outcome.UNFINISHED) {
                waited(number, start - origin, end - origin, false);
                return;
            }
            if (outcome == Outcome.FAILED) {
                failed(number, start - origin, end - origin);
                return;
            }
            if (failed > 0 || end - start > MIN_NANOS) {
                waited(number, start - origin, end - origin, true);
            }
            if (end - origin >= nextMilli) {
                mark(end - origin);
            }
            if (outcome == Outcome.OK) {
                ok++;
            }
        }

        /** Says that the client waited until now to connect again, and was not idle. Nanoseconds of the clock. */
        void triedUntil(long now, long origin) {
            lastEnd = Math.max(lastEnd, now - origin);
        }

        private void mark(long at) {
            long milli = at / SuccessTimes.MILLI;
            int now = SuccessTimes.slot(milli);
            if (now != slot) {
                handOver();
                slot = now;
            }
            times.mark(milli);
            nextMilli = (milli + 1) * SuccessTimes.MILLI;
        }

        private void handOver() {
            if (ok > 0) {
                times.count(slot, ok);
                ok = 0;
            }
        }

        private void failed(int number, long start, long end) {
            if (failed == 0) {
                since = start;
                longest = 0;
            }
            failed++;
            longer(number, end - start);
            lastEnd = end;
        }

        private void waited(int number, long start, long end, boolean isAnswered) {
            boolean isAfterFailures = failed > 0;
            if (!isAfterFailures) {
                since = start;
                longest = 0;
            }
            longer(number, end - start);
            keep(end, isAfterFailures ? Math.max(0, start - lastEnd) : 0, isAnswered);
            failed = 0;
        }

        private void longer(int number, long nanos) {
            if (nanos >= longest) {
                longest = nanos;
                operation = number;
            }
        }

        private void keep(long end, long idle, boolean isAnswered) {
            if (end - since - idle <= shortest) {
                return;
            }
            waits[kept < MAX_WAITS ? kept++ : indexOfShortest()] =
                    new LongWait(since, end, idle, failed, longest, operation, isAnswered, 0);
            LongWait least = kept < MAX_WAITS ? null : waits[indexOfShortest()];
            shortest = least == null ? 0 : least.tried();
        }

        private int indexOfShortest() {
            int index = 0;
            long least = Long.MAX_VALUE;
            for (int i = 0; i < kept; i++) {
                LongWait wait = waits[i];
                if (wait != null && wait.tried() < least) {
                    least = wait.tried();
                    index = i;
                }
            }
            return index;
        }

        /** Call it when the client has ended. */
        void finish() {
            handOver();
        }

        /** Adds its waits to the list, including failures with no success after them. */
        void waits(java.util.List<LongWait> into) {
            for (LongWait wait : waits) {
                if (wait != null) {
                    into.add(wait);
                }
            }
            if (failed > 0) {
                into.add(new LongWait(since, lastEnd, 0, failed, longest, operation, false, 0));
            }
        }
    }
}
