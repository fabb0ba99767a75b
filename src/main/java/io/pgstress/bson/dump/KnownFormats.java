package io.pgstress.bson.dump;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.BsonType;
import io.pgstress.bson.InputWindow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Recognizes inputs that are not BSON by their first bytes. None of these can begin a document: as its length, they would be
 * negative or far above the limit.
 */
final class KnownFormats {
    /** A format, the hexadecimal digits that it begins with, and what to do about it. */
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

    private KnownFormats() {}

    /**
     * Ensures that the next bytes may be a document, or that there are none.
     *
     * @throws BsonException if they cannot; it names the format if it is known
     */
    static void requireDocuments(InputWindow in) throws IOException {
        int first = in.available(Integer.BYTES);
        int length = first < Integer.BYTES ? 0 : in.peekInt();
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
