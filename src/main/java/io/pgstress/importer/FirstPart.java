package io.pgstress.importer;

import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The first part of a stream, buffered in memory and beyond that in a file, so that it can be read twice. It is used to find
 * the type of the keys.
 */
final class FirstPart implements Closeable {
    private static final int IN_MEMORY = 4 << 20;
    private static final int IN_FILE = 60 << 20;

    private final InputStream rest;
    private final byte[] head;
    private final @Nullable Path file;

    private FirstPart(InputStream rest, byte[] head, @Nullable Path file) {
        this.rest = rest;
        this.head = head;
        this.file = file;
    }

    /** Reads the first part, or all of a short stream. */
    static FirstPart of(InputStream in) throws IOException {
        return of(in, IN_MEMORY, IN_FILE);
    }

    static FirstPart of(InputStream in, int inMemory, int inFile) throws IOException {
        byte[] head = in.readNBytes(inMemory);
        if (head.length < inMemory) {
            return new FirstPart(in, head, null);
        }
        Path file = Files.createTempFile("pgstress-input", null);
        try (OutputStream out = Files.newOutputStream(file)) {
            byte[] buffer = new byte[1 << 16];
            int left = inFile;
            while (left > 0) {
                int read = in.read(buffer, 0, Math.min(buffer.length, left));
                if (read < 0) {
                    break;
                }
                out.write(buffer, 0, read);
                left -= read;
            }
        } catch (IOException e) {
            Files.deleteIfExists(file);
            throw e;
        }
        return new FirstPart(in, head, file);
    }

    /** Reads the first part again. */
    InputStream open() throws IOException {
        InputStream memory = new ByteArrayInputStream(head);
        return file == null ? memory : new SequenceInputStream(memory, Files.newInputStream(file));
    }

    /** The whole stream; may be called once. */
    InputStream whole() throws IOException {
        return new SequenceInputStream(open(), rest);
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            Files.deleteIfExists(file);
        }
    }
}
