package io.pgstress.bson.dump;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.InputWindow;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * An open input. Its first bytes, not its name, determine whether it is gzip or zstd data, which is decompressed, and whether it
 * is an archive.
 */
final class DumpInput implements Closeable {
    /** The first bytes of an archive, 6d e2 99 81; as a document's length they would be negative. */
    static final int ARCHIVE_MAGIC = 0x8199e26d;

    private static final int GZIP_HEADER = 10;
    private static final int GZIP_MAGIC = 0x088b1f;
    private static final int MAX_GZIP_SYSTEM = 13;

    private final CountingInput counted;
    private final InputStream plain;
    private final InputWindow window;

    private DumpInput(InputStream in, String label) throws IOException {
        counted = new CountingInput(in);
        PushbackInputStream raw = new PushbackInputStream(counted, GZIP_HEADER);
        byte[] head = raw.readNBytes(GZIP_HEADER);
        raw.unread(head);
        plain = isGzip(head) ? new GzipInput(raw) : ZstdInput.begins(head) ? new ZstdInput(raw) : raw;
        window = new InputWindow(plain, label);
    }

    /** Opens a file and examines its first bytes. */
    static DumpInput open(Path path) throws IOException {
        InputStream in;
        try {
            in = Files.newInputStream(path);
        } catch (IOException e) {
            throw new BsonException(path.toString(), -1, "a readable file", DumpFiles.reason(e), e);
        }
        if (FileNames.isCompressedData(path) && Files.size(path) == 0) {
            in.close();
            throw new BsonException(
                    path.toString(),
                    0,
                    FileNames.name(path).endsWith(".gz") ? "gzip data" : "zstd data",
                    "an empty file");
        }
        return of(in, path.toString());
    }

    /** Examines the first bytes of a stream; closes it if that fails. {@code label} names it in messages. */
    static DumpInput of(InputStream in, String label) throws IOException {
        try {
            DumpInput input = new DumpInput(in, label);
            input.window.available(Integer.BYTES);
            return input;
        } catch (BsonException e) {
            in.close();
            throw e;
        } catch (IOException e) {
            in.close();
            throw new BsonException(label, 0, "readable input", String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * A document of 559,903 bytes begins with the same four bytes as a gzip header. The bytes after it distinguish the two: the
     * key {@code _id} in place of gzip's time, or invalid values for gzip's flags and operating system.
     */
    private static boolean isGzip(byte[] head) {
        if (head.length < GZIP_HEADER) {
            return head.length >= 2 && (head[0] & 0xff) == 0x1f && (head[1] & 0xff) == 0x8b;
        }
        if (head[5] == '_' && head[6] == 'i' && head[7] == 'd' && head[8] == 0) {
            return false;
        }
        int extra = head[8];
        int system = head[9] & 0xff;
        return (Bytes.intAt(head, 0) & 0xffffff) == GZIP_MAGIC
                && (extra == 0 || extra == 2 || extra == 4)
                && (system <= MAX_GZIP_SYSTEM || system == 255);
    }

    /** The uncompressed bytes; call it before any are read. */
    InputWindow window() {
        return window;
    }

    /**
     * Ensures that the input begins like a document.
     *
     * @param mayBeEmpty whether it may have no bytes at all
     * @throws BsonException if it does not
     */
    void requireDocuments(boolean mayBeEmpty) throws IOException {
        KnownFormats.requireDocuments(window);
        if (!mayBeEmpty && window.available(1) == 0) {
            throw new BsonException(
                    window.label(),
                    0,
                    "documents, or the .metadata.json of an empty collection beside the file",
                    "none");
        }
    }

    boolean isArchive() throws IOException {
        return window.available(Integer.BYTES) >= Integer.BYTES && window.peekInt() == ARCHIVE_MAGIC;
    }

    /** Reads all bytes of a small file. */
    byte[] readAll() throws IOException {
        byte[] start = new byte[window.available(1)];
        window.copy(start, 0, start.length);
        byte[] rest = plain.readAllBytes();
        byte[] all = Arrays.copyOf(start, start.length + rest.length);
        System.arraycopy(rest, 0, all, start.length, rest.length);
        return all;
    }

    /** Bytes read so far, before decompression. */
    long bytesRead() {
        return counted.count();
    }

    @Override
    public void close() throws IOException {
        plain.close();
    }
}
