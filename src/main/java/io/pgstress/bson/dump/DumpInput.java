package io.pgstress.bson.dump;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.BsonType;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.InputWindow;
import java.io.Closeable;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;

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

    boolean isArchive() throws IOException {
        return window.available(Integer.BYTES) >= Integer.BYTES && window.peekInt() == ARCHIVE_MAGIC;
    }

    /**
     * Reads all bytes of a small file.
     *
     * @throws BsonException if there are more than {@code maxBytes} of them, uncompressed
     */
    byte[] readAll(int maxBytes) throws IOException {
        byte[] start = new byte[window.available(1)];
        window.copy(start, 0, start.length);
        byte[] rest = plain.readNBytes(maxBytes - start.length + 1);
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

    /** An input that counts the bytes read from it; any thread may read the count. */
    static final class CountingInput extends FilterInputStream {
        private volatile long count;

        CountingInput(InputStream in) {
            super(in);
        }

        long count() {
            return count;
        }

        @Override
        public int read() throws IOException {
            int read = in.read();
            add(read < 0 ? 0 : 1);
            return read;
        }

        @Override
        public int read(byte[] target, int at, int wanted) throws IOException {
            int read = in.read(target, at, wanted);
            add(Math.max(0, read));
            return read;
        }

        /** Only the reading thread writes. */
        @SuppressWarnings("NonAtomicVolatileUpdate")
        private void add(int read) {
            count += read;
        }
    }

    /**
     * A format of inputs that are not BSON, the hexadecimal digits that it begins with, and what to do about it. None of them
     * can begin a document: as its length, they would be negative or far above the limit.
     */
    private enum Format {
        XZ("fd377a58", "xz data", "xz -dc"),
        BZIP2("425a68", "bzip2 data", "bzip2 -dc"),
        LZ4("04224d18", "lz4 data", "lz4 -dc"),
        LZOP("894c5a4f", "lzop data", "lzop -dc"),
        COMPRESS("1f9d", "compress data", "uncompress -c"),
        SNAPPY("ff060000734e6150", "snappy data", "snzip -dc"),
        ZIP("504b0304", "a zip archive", ""),
        SEVEN_ZIP("377abcaf", "a 7z archive", ""),
        POSTGRES("5047444d50", "a dump of pg_dump, which pg_restore reads", ""),
        SQLITE("53514c69746520666f726d6174", "a SQLite database", ""),
        PARQUET("50415231", "a Parquet file", "");

        private final String magic;
        private final String phrase;
        private final String command;

        Format(String magic, String phrase, String command) {
            this.magic = magic;
            this.phrase = phrase;
            this.command = command;
        }

        String found(String label) {
            return command.isEmpty() ? phrase : phrase + ": decompress it first (" + command + " " + label + ")";
        }
    }

    private static final String EXPECTED = "BSON documents or an archive from mongodump";
    private static final int TAR_MAGIC_AT = 257;
    private static final byte[] TAR_MAGIC = "ustar".getBytes(StandardCharsets.US_ASCII);
    private static final int TEXT_BYTES = 64;
    private static final String WHITE_SPACE = "\n\r\t";
    private static final int DELETE = 0x7f;

    /**
     * Ensures that the input begins like a document.
     *
     * @param mayBeEmpty whether it may have no bytes at all
     * @throws BsonException if it does not; it names the format if it is known
     */
    void requireDocuments(boolean mayBeEmpty) throws IOException {
        InputWindow in = window;
        int first = in.available(Integer.BYTES);
        int length = first < Integer.BYTES ? 0 : in.peekInt();
        if (first == 0 && !mayBeEmpty) {
            throw new BsonException(
                    in.label(), 0, "documents, or the .metadata.json of an empty collection beside the file", "none");
        }
        if (first == 0 || (length >= BsonType.MIN_DOCUMENT && length <= BsonType.MAX_DOCUMENT)) {
            return;
        }
        int available = in.available(TAR_MAGIC_AT + TAR_MAGIC.length);
        String format = format(in, available);
        if (!format.isEmpty()) {
            throw new BsonException(in.label(), in.position(), EXPECTED, format);
        }
        if (available < Integer.BYTES) {
            throw new BsonException(
                    in.label(), in.position(), "a length of 4 bytes", "the end of the input after " + available);
        }
        throw new BsonException(
                in.label(),
                in.position(),
                "a document's length of 5 to " + BsonType.MAX_DOCUMENT,
                Integer.toString(length));
    }

    private static String format(InputWindow in, int available) {
        for (Format each : Format.values()) {
            if (begins(in, available, 0, HexFormat.of().parseHex(each.magic))) {
                return each.found(in.label());
            }
        }
        if (begins(in, available, TAR_MAGIC_AT, TAR_MAGIC)) {
            return "a tar archive: unpack it first";
        }
        return isText(in, available) ? text(in) : "";
    }

    private static boolean begins(InputWindow in, int available, int at, byte[] magic) {
        for (int i = 0; i < magic.length; i++) {
            if (at + i >= available || in.peek(at + i) != magic[i]) {
                return false;
            }
        }
        return true;
    }

    /** Whether the first bytes are printable ASCII, white space, or beyond ASCII as in UTF-8. */
    private static boolean isText(InputWindow in, int available) {
        for (int i = 0; i < Math.min(available, TEXT_BYTES); i++) {
            int c = in.peek(i);
            boolean control = c >= 0 && c < ' ' && WHITE_SPACE.indexOf(c) < 0;
            if (control || c == DELETE) {
                return false;
            }
        }
        return true;
    }

    private static String text(InputWindow in) {
        int first = in.peek(0);
        return first == '{' || first == '[' ? "JSON text: import reads BSON, as mongodump writes it" : "text";
    }
}
