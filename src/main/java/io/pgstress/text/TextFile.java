package io.pgstress.text;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;

/**
 * Reads whole files of text, each up to a limit. What a person writes, or this program saves, is never that large; the limit keeps a
 * wrong file, or one without an end, from filling the memory.
 */
public final class TextFile {
    /** For files that people write: scenarios, operations, services, passwords. */
    public static final int SMALL = 16 << 20;

    /** For results; those of a day with an interval per second have about 200 MiB. A byte array has no room for more than twice this. */
    public static final int RESULT = 1 << 30;

    /** How files of gzip begin. */
    private static final byte[] GZIP = {0x1f, (byte) 0x8b};

    private TextFile() {}

    /**
     * The text of a file in UTF-8.
     *
     * @param maxBytes the limit
     * @throws java.nio.charset.MalformedInputException if it is not UTF-8
     * @throws FileSystemException if it is too large
     * @throws IOException if it cannot be read
     */
    public static String read(Path file, int maxBytes) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return text(in, file, maxBytes);
        }
    }

    /**
     * The text of a file in UTF-8, which may be compressed with gzip.
     *
     * @param maxBytes the limit for the text
     * @throws java.nio.charset.MalformedInputException if it is not UTF-8
     * @throws FileSystemException if it is too large
     * @throws IOException if it cannot be read
     */
    public static String readUnpacked(Path file, int maxBytes) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            in.mark(GZIP.length);
            boolean isPacked = Arrays.equals(in.readNBytes(GZIP.length), GZIP);
            in.reset();
            return text(isPacked ? new GZIPInputStream(in) : in, file, maxBytes);
        }
    }

    private static String text(InputStream in, Path file, int maxBytes) throws IOException {
        byte[] bytes = in.readNBytes(maxBytes);
        if (bytes.length == maxBytes && in.read() >= 0) {
            throw new FileSystemException(file.toString(), null, "it is larger than " + (maxBytes >> 20) + " MiB");
        }
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes))
                .toString();
    }
}
