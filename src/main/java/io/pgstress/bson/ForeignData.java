package io.pgstress.bson;

import io.pgstress.text.Quoting;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What stands in an input where BSON should be, in words for people. */
public final class ForeignData {
    /** The first bytes of an archive, 6d e2 99 81; as a document's length they would be negative. */
    public static final int ARCHIVE_MAGIC = 0x8199e26d;

    /**
     * A format, the hexadecimal digits that it begins with, and what to do about it. None of them can begin a document: as its
     * length, they would be negative or far above the limit.
     */
    private enum Format {
        ARCHIVE("6de29981", "another archive of mongodump: put each archive into a file of its own", ""),
        GIT_LFS("76657273696f6e2068747470733a2f2f6769742d6c6673", "a Git LFS pointer; run git lfs pull", ""),
        APPLE_DOUBLE("00051607", "a file that macOS puts beside another one (AppleDouble)", ""),
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

        /** The bytes that it begins with. */
        byte[] magic() {
            return HexFormat.of().parseHex(magic);
        }

        String words(String label) {
            return command.isEmpty() ? phrase : phrase + ": decompress it first (" + command + " " + label + ")";
        }
    }

    private static final int TAR_MAGIC_AT = 257;
    private static final byte[] TAR_MAGIC = "ustar".getBytes(StandardCharsets.US_ASCII);

    /** The byte order mark, and the first characters of an object and an array. */
    private static final byte[] UTF16_OBJECT = "\ufeff{\"".getBytes(StandardCharsets.UTF_16LE);

    private static final byte[] UTF16_ARRAY = "\ufeff[{".getBytes(StandardCharsets.UTF_16LE);

    /** Bytes that are examined. */
    private static final int LOOK = 4096;

    /** Bytes that must look like text for the input to be text, and characters of it that are quoted. */
    private static final int TEXT_BYTES = 64;

    /** The fewest zero bytes that are called padding; fewer may be a damaged length. */
    private static final int MIN_PADDING = 16;

    /** Control characters of logs and terminals. */
    private static final String CONTROLS = "\n\r\t\b\f\u001b";

    private static final int DELETE = 0x7f;

    private ForeignData() {}

    /** What begins at the next byte; empty if that is unknown, or the input has ended. Reads nothing away. */
    public static String at(InputWindow in) throws IOException {
        int available = in.available(Math.min(LOOK, in.capacity()));
        if (available == 0) {
            return "";
        }
        for (Format each : Format.values()) {
            if (begins(in, available, 0, each.magic())) {
                return each.words(in.label());
            }
        }
        if (begins(in, available, TAR_MAGIC_AT, TAR_MAGIC)) {
            return "a tar archive: unpack it first";
        }
        if (isZero(in, available)) {
            return "zero bytes (padding)";
        }
        return isText(in, available) ? text(in, available) : "";
    }

    /**
     * Whether it is JSON in UTF-16, as PowerShell redirects output. Its first bytes could be a length, but the next one is no type of
     * BSON.
     */
    public static boolean isUtf16(InputWindow in) throws IOException {
        int available = in.available(UTF16_OBJECT.length);
        return begins(in, available, 0, UTF16_OBJECT) || begins(in, available, 0, UTF16_ARRAY);
    }

    /** What a text is that is not JSON: a known format, or quoted. */
    public static String of(String text, String label) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try {
            InputWindow in = new InputWindow(new ByteArrayInputStream(bytes), label, LOOK);
            String known = at(in);
            return known.isEmpty() ? "data that begin with " + quoted(bytes) : known;
        } catch (IOException e) {
            throw new IllegalStateException(e); // an array can always be read
        }
    }

    private static boolean begins(InputWindow in, int available, int at, byte[] magic) {
        for (int i = 0; i < magic.length; i++) {
            if (at + i >= available || in.peek(at + i) != magic[i]) {
                return false;
            }
        }
        return true;
    }

    /** Whether nothing but zero bytes follows, as far as it is examined; a few may be anything. */
    private static boolean isZero(InputWindow in, int available) {
        for (int i = 0; i < available; i++) {
            if (in.peek(i) != 0) {
                return false;
            }
        }
        return available >= MIN_PADDING;
    }

    /** Whether it is text, or lines of text with something else behind them. */
    private static boolean isText(InputWindow in, int available) {
        return lengthOfText(in, available) >= Math.min(available, TEXT_BYTES) || Behind.text(in, available) != null;
    }

    /** How many bytes at the beginning are printable ASCII or white space. Bytes beyond ASCII count too, because they may be UTF-8. */
    private static int lengthOfText(InputWindow in, int available) {
        int length = 0;
        while (length < available) {
            int c = in.peek(length);
            if ((c >= 0 && c < ' ' && CONTROLS.indexOf(c) < 0) || c == DELETE) {
                break;
            }
            length++;
        }
        return length;
    }

    private static String text(InputWindow in, int available) {
        Behind behind = Behind.text(in, available);
        byte[] bytes = new byte[behind == null ? available : behind.at];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) in.peek(i);
        }
        return "text: " + quoted(bytes)
                + (behind == null
                        ? ""
                        : ", and from byte " + (in.position() + behind.at) + " on " + behind.phrase
                                + ": cut off the text");
    }

    /** What begins behind text, such as the lines of a log. */
    private record Behind(int at, String phrase) {
        private static final Map<String, String> PHRASES =
                Map.of(Format.ARCHIVE.magic, "an archive", "1f8b08", "gzip data", "28b52ffd", "zstd data");

        /** The fewest bytes of text in front of documents, which have no magic number. */
        private static final int MIN_LINE = 8;

        /** The first of what begins in or behind the text; null if nothing known does. */
        static @Nullable Behind text(InputWindow in, int available) {
            int end = lengthOfText(in, available);
            for (int at = 1; at <= end; at++) { // the first bytes of an archive may be taken for text
                for (Map.Entry<String, String> each : PHRASES.entrySet()) {
                    if (begins(in, available, at, HexFormat.of().parseHex(each.getKey()))) {
                        return new Behind(at, each.getValue());
                    }
                }
            }
            for (int at = end; at > MIN_LINE; at--) {
                if (in.peek(at - 1) == '\n' && available - at > Integer.BYTES) {
                    return isLength(in, at) ? new Behind(at, "documents") : null;
                }
            }
            return null;
        }

        private static boolean isLength(InputWindow in, int at) {
            byte[] bytes = new byte[Integer.BYTES];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) in.peek(at + i);
            }
            int length = Bytes.intAt(bytes, 0);
            return length >= BsonType.MIN_DOCUMENT && length <= BsonType.MAX_DOCUMENT;
        }
    }

    /** The beginning of a text in quotes, on one line that a terminal can show. */
    private static String quoted(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        StringBuilder out = new StringBuilder("\"");
        int at = 0;
        while (at < text.length() && at < TEXT_BYTES) {
            int c = text.codePointAt(at);
            at += Character.charCount(c);
            switch (c) {
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                case '"', '\\' -> out.append('\\').appendCodePoint(c);
                default -> {
                    if (Quoting.isPrintable(c)) {
                        out.appendCodePoint(c);
                    } else {
                        out.append(String.format(Locale.ROOT, c > 0xffff ? "\\U%08X" : "\\u%04X", c));
                    }
                }
            }
        }
        return out.append(at < text.length() ? "\"..." : "\"").toString();
    }
}
