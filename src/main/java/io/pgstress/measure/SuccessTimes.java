package io.pgstress.measure;

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
     * @throws IllegalArgumentException if it is something else
     */
    public void add(byte[] encoded) {
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
                        in.readLong(), in.readLong(), in.readLong(), in.readLong(), in.readLong(), in.readInt()));
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
}
