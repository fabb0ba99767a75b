package io.pgstress.target.embedded;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * Unpacks a tar archive: the ustar format of POSIX.1-1988, and GNU's long names. It knows directories, files and symbolic links, and
 * keeps of the permissions whether a file is executable. Anything else is an error, as are names that lead out of the directory.
 */
final class TarReader implements Closeable {
    private static final int BLOCK = 512;
    private static final int NAME_LENGTH = 100;
    private static final int MODE = 100;
    private static final int SIZE = 124;
    private static final int SIZE_LENGTH = 12;
    private static final int TYPE = 156;
    private static final int LINK = 157;
    private static final int PREFIX = 345;
    private static final int PREFIX_LENGTH = 155;
    private static final int EXECUTABLE = 0111;

    private final InputStream in;
    private final byte[] header = new byte[BLOCK];
    private String longName = "";

    /** Reads this input, which it closes. */
    TarReader(InputStream in) {
        this.in = in;
    }

    /** Unpacks all entries. Not to be called twice. */
    void unpack(Path directory) throws IOException {
        while (nextHeader()) {
            long size = number(SIZE, SIZE_LENGTH);
            char type = (char) header[TYPE];
            if (type == 'L') {
                longName = ofBytes(in.readNBytes(Math.toIntExact(size)), 0, Math.toIntExact(size));
            } else {
                unpack(target(directory), type, size);
            }
            in.skipNBytes((BLOCK - size % BLOCK) % BLOCK);
        }
    }

    private void unpack(Path target, char type, long size) throws IOException {
        switch (type) {
            case '5' -> Files.createDirectories(target);
            case '2' -> {
                Files.createDirectories(parent(target));
                Path destination = linked(target);
                Files.createSymbolicLink(target, destination);
            }
            case '0', '\0' -> {
                Files.createDirectories(parent(target));
                copy(target, size);
                if ((number(MODE, Long.BYTES) & EXECUTABLE) != 0
                        && !target.toFile().setExecutable(true)) {
                    throw new IOException("cannot make " + target + " executable");
                }
            }
            default ->
                throw new IOException("unexpected entry of type '" + type + "' in the server's archive: " + target);
        }
    }

    private void copy(Path target, long size) throws IOException {
        if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(target + " is twice in the server's archive");
        }
        byte[] bytes = in.readNBytes(Math.toIntExact(size));
        if (bytes.length < size) {
            throw new EOFException("the server's archive ends in " + target);
        }
        Files.write(target, bytes);
    }

    private Path target(Path directory) throws IOException {
        String prefix = text(PREFIX, PREFIX_LENGTH);
        String name = longName.isEmpty() ? (prefix.isEmpty() ? "" : prefix + "/") + text(0, NAME_LENGTH) : longName;
        longName = "";
        return inside(directory, directory.resolve(name), name);
    }

    /** The target of a link, which is relative to the link; a link to one of its own directory is all the archives need. */
    private Path linked(Path link) throws IOException {
        String name = text(LINK, NAME_LENGTH);
        inside(parent(link), parent(link).resolve(name), name);
        return Path.of(name);
    }

    private static Path inside(Path directory, Path path, String name) throws IOException {
        if (!path.normalize().startsWith(directory.normalize())) {
            throw new IOException("the server's archive contains a name outside of it: " + name);
        }
        return path.normalize();
    }

    private static Path parent(Path path) throws IOException {
        Path parent = path.getParent();
        if (parent == null) {
            throw new IOException("no directory above " + path);
        }
        return parent;
    }

    /** False at the end of the archive: a block of zeros. */
    private boolean nextHeader() throws IOException {
        if (in.readNBytes(header, 0, BLOCK) < BLOCK) {
            throw new EOFException("the server's archive has no end");
        }
        return header[0] != 0;
    }

    private long number(int at, int length) throws IOException {
        String digits = text(at, length).trim();
        try {
            return digits.isEmpty() ? 0 : Long.parseLong(digits, 8);
        } catch (NumberFormatException e) {
            throw new IOException("the server's archive is damaged: '" + digits + "' is no octal number", e);
        }
    }

    private String text(int at, int length) {
        return ofBytes(header, at, length);
    }

    private static String ofBytes(byte[] bytes, int at, int length) {
        int end = at;
        while (end < at + length && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, at, end - at, StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
