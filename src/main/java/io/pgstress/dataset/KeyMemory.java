package io.pgstress.dataset;

import io.pgstress.target.driver.TargetException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that are appended once and then read at any place. Up to {@value #CHUNK} of them are on the heap; every full chunk is
 * written to a temporary file and read through a mapping, outside the heap. Only its owner may read the file, which is deleted
 * as soon as it is open (on Windows, when the process ends). One thread appends and calls {@link #finish}; after that, any
 * thread may read.
 */
final class KeyMemory {
    static final int CHUNK = 1 << 24;
    private static final int FIRST = 1 << 12;
    private static final int SHIFT = Integer.numberOfTrailingZeros(CHUNK);

    private final List<ByteBuffer> full = new ArrayList<>();
    private byte[] last = new byte[FIRST];
    private int used;
    private long before;
    private @Nullable FileChannel file;
    private ByteBuffer[] chunks = {};

    /** Number of bytes. */
    long length() {
        return before + used;
    }

    /** @throws TargetException if the temporary file cannot be written */
    void append(int value) {
        if (used == last.length) {
            grow();
        }
        last[used++] = (byte) value;
    }

    void appendShort(int value) {
        append(value >> Byte.SIZE);
        append(value);
    }

    void appendInt(int value) {
        appendShort(value >> Short.SIZE);
        appendShort(value);
    }

    void append(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            append(bytes[i]);
        }
    }

    private void grow() {
        if (last.length < CHUNK) {
            last = Arrays.copyOf(last, 2 * last.length);
            return;
        }
        try {
            FileChannel channel = open();
            ByteBuffer bytes = ByteBuffer.wrap(last);
            long from = channel.size();
            while (bytes.hasRemaining()) {
                channel.write(bytes, from + bytes.position());
            }
            full.add(channel.map(FileChannel.MapMode.READ_ONLY, from, CHUNK));
            before += CHUNK;
            used = 0;
        } catch (IOException e) {
            throw new TargetException(
                    "the ids of the table need space in " + System.getProperty("java.io.tmpdir") + ": "
                            + e.getMessage() + "; free some, name another directory (-Djava.io.tmpdir=DIR), or use a"
                            + " smaller --key-sample",
                    e);
        }
    }

    private FileChannel open() throws IOException {
        FileChannel channel = file;
        if (channel == null) {
            Path path = Files.createTempFile("pgstress-ids-", ".tmp"); // readable by its owner only
            channel = FileChannel.open(
                    path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
            file = channel;
        }
        return channel;
    }

    /** Ends appending. Mappings outlive the file. */
    void finish() {
        last = Arrays.copyOf(last, used);
        full.add(ByteBuffer.wrap(last));
        chunks = full.toArray(ByteBuffer[]::new);
        close();
    }

    /** Closes the file. */
    void close() {
        try {
            if (file != null) {
                file.close();
            }
        } catch (IOException e) {
            throw new TargetException("a temporary file of ids cannot be closed: " + e.getMessage(), e);
        }
    }

    byte get(long at) {
        return chunks[(int) (at >>> SHIFT)].get((int) at & CHUNK - 1);
    }

    /** Two bytes as a number from 0 to 65,535. */
    int getShort(long at) {
        return (get(at) & 0xFF) << Byte.SIZE | (get(at + 1) & 0xFF);
    }

    /** Four bytes as a number from 0 to 2^32 - 1. */
    long getInt(long at) {
        return ((long) getShort(at) << Short.SIZE) | getShort(at + Short.BYTES);
    }

    void read(long from, byte[] to, int begin, int end) {
        for (int i = begin; i < end; ) {
            long at = from + i - begin;
            int place = (int) at & CHUNK - 1;
            int length = Math.min(end - i, CHUNK - place);
            chunks[(int) (at >>> SHIFT)].get(place, to, i, length);
            i += length;
        }
    }
}
