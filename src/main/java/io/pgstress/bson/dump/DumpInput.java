package io.pgstress.bson.dump;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.BsonType;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.DocumentReader;
import io.pgstress.bson.DocumentSource;
import io.pgstress.bson.ForeignData;
import io.pgstress.bson.InputWindow;
import io.pgstress.bson.json.JsonDocumentReader;
import io.pgstress.text.Counted;
import java.io.Closeable;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * An open input. Its first bytes, not its name, determine whether it is gzip or zstd data, which is decompressed, and whether it
 * is an archive, BSON or JSON.
 */
final class DumpInput implements Closeable {
    /** The first bytes of an archive, 6d e2 99 81; as a document's length they would be negative. */
    static final int ARCHIVE_MAGIC = ForeignData.ARCHIVE_MAGIC;

    private static final int GZIP_HEADER = 10;
    private static final int GZIP_MAGIC = 0x088b1f;
    private static final int MAX_GZIP_SYSTEM = 13;

    /** The limit protects from data that decompress to themselves. */
    private static final int MAX_LAYERS = 4;

    /** The most bytes that are decompressed to count what a fault leaves out. */
    private static final long MAX_COUNTED = 1L << 30;

    private final CountingInput counted;
    private InputStream plain;
    private InputWindow window;
    private boolean isJson;
    private boolean isCompressed;
    /** The size of a file; -1 of a stream. */
    private long size = -1;

    private DumpInput(InputStream in, String label) {
        counted = new CountingInput(in);
        plain = counted;
        window = new InputWindow(plain, label);
    }

    /** Decompresses the input as often as it is compressed: {@code mongodump --archive --gzip | zstd} does it twice. */
    private void decompress() throws IOException {
        for (int layer = 0; layer < MAX_LAYERS; layer++) {
            byte[] head = new byte[GZIP_HEADER];
            head = Arrays.copyOf(head, window.copy(head, 0, head.length));
            PushbackInputStream raw = new PushbackInputStream(plain, GZIP_HEADER);
            raw.unread(head);
            plain = isGzip(head) ? new GzipInput(raw) : ZstdInput.begins(head) ? new ZstdInput(raw) : raw;
            window = new InputWindow(plain, window.label());
            if (plain.equals(raw)) {
                return;
            }
            isCompressed = true;
        }
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
        DumpInput input = of(in, path.toString());
        input.size = Files.size(path);
        return input;
    }

    /** Examines the first bytes of a stream; closes it if that fails. {@code label} names it in messages. */
    static DumpInput of(InputStream in, String label) throws IOException {
        try {
            DumpInput input = new DumpInput(in, label);
            try {
                input.decompress();
                input.window.available(Integer.BYTES);
            } catch (BsonException e) {
                throw input.explained(e);
            }
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

    boolean isArchive() throws IOException {
        return window.available(Integer.BYTES) >= Integer.BYTES && window.peekInt() == ARCHIVE_MAGIC;
    }

    /** The documents, in chunks of about this size. */
    DocumentSource documents(int chunkBytes) throws IOException {
        isJson = JsonDocumentReader.begins(window);
        return isJson ? new JsonDocumentReader(window, chunkBytes) : new DocumentReader(window, chunkBytes);
    }

    /**
     * Reads all bytes of a small file.
     *
     * @throws BsonException if there are more than {@code maxBytes} of them, uncompressed
     */
    byte[] readAll(int maxBytes) throws IOException {
        byte[] start = new byte[window.available(1)];
        window.copy(start, 0, start.length);
        byte[] rest = plain.readNBytes(Math.max(0, maxBytes - start.length + 1));
        if (start.length + rest.length > maxBytes) {
            throw new BsonException(window.label(), maxBytes, "metadata of at most " + maxBytes + " bytes", "more");
        }
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

    /** Adds the cause to a fault of this input, if its bytes show it. Lines of JSON may end as they like. */
    BsonException explained(BsonException fault) {
        return counted.isFromTerminal() && !isJson
                ? fault.because("each line feed has a carriage return before it, as a terminal writes them: dump again"
                        + " without one (-t of ssh, docker exec or kubectl exec)")
                : fault;
    }

    /**
     * Adds how much of a file a fault leaves out. A stream may never end, so the rest of one is not counted.
     *
     * @param from where the documents before the fault end
     */
    BsonException withRest(BsonException fault, long from) {
        if (size < 0) {
            return fault;
        }
        boolean isWhole = true;
        long end = size;
        if (isCompressed) {
            try {
                isWhole = window.skipToEnd(MAX_COUNTED);
            } catch (IOException e) {
                return fault; // the compressed data themselves are damaged
            }
            end = window.position();
        }
        String rest = Counted.of(end - from, "byte");
        return fault.because(
                isWhole ? "this leaves out the last " + rest : "this leaves out more than " + rest + " at the end");
    }

    /**
     * An input that counts the bytes read from it, and the line feeds among the first ones; any thread may read the count of bytes.
     */
    static final class CountingInput extends FilterInputStream {
        /** The bytes at the beginning that are examined: a line feed that a terminal has altered soon shifts a length. */
        private static final long EXAMINED = 1 << 20;

        private static final int MIN_LINES = 3;

        private volatile long count;
        private int lineFeeds;
        private int afterReturn;
        private int last;

        CountingInput(InputStream in) {
            super(in);
        }

        long count() {
            return count;
        }

        @Override
        public int read() throws IOException {
            int read = in.read();
            if (read >= 0) {
                examine(read);
                add(1);
            }
            return read;
        }

        @Override
        public int read(byte[] target, int at, int wanted) throws IOException {
            int read = in.read(target, at, wanted);
            for (int i = 0; i < read && count < EXAMINED; i++) {
                examine(target[at + i]);
            }
            add(Math.max(0, read));
            return read;
        }

        private void examine(int next) {
            if (next == '\n') {
                lineFeeds++;
                afterReturn += last == '\r' ? 1 : 0;
            }
            last = next;
        }

        /** Whether each of several line feeds follows a carriage return, which in binary data is no chance. */
        boolean isFromTerminal() {
            return lineFeeds >= MIN_LINES && afterReturn == lineFeeds;
        }

        /** Only the reading thread writes. */
        @SuppressWarnings("NonAtomicVolatileUpdate")
        private void add(int read) {
            count += read;
        }
    }

    /**
     * Ensures that the input begins like a document.
     *
     * @param mayBeEmpty whether it may have no bytes at all
     * @throws BsonException if it does not; it names the format if it is known
     */
    void requireDocuments(boolean mayBeEmpty) throws IOException {
        InputWindow in = window;
        int first = in.available(Integer.BYTES);
        if (first == 0 && !mayBeEmpty) {
            String expected = "documents, or the .metadata.json of an empty collection beside the file";
            throw new BsonException(in.label(), 0, expected, "an empty file");
        }
        if (first == 0 || JsonDocumentReader.begins(in)) {
            return;
        }
        if (ForeignData.isUtf16(in)) {
            throw BsonException.foreign(
                    in.label(), "UTF-16 text, as PowerShell redirects output: use --out of mongoexport");
        }
        if (first >= Integer.BYTES) {
            int length = in.peekInt();
            if (length >= BsonType.MIN_DOCUMENT && length <= BsonType.MAX_DOCUMENT) {
                return;
            }
        }
        String is = ForeignData.at(in);
        if (!is.isEmpty()) {
            throw explained(BsonException.foreign(in.label(), is));
        }
        throw first < Integer.BYTES
                ? new BsonException(in.label(), 0, "a length of 4 bytes", "the end of the input after " + first)
                : new BsonException(
                        in.label(),
                        0,
                        "a document's length of 5 to " + BsonType.MAX_DOCUMENT,
                        Integer.toString(in.peekInt()));
    }
}
