package io.pgstress.report.file;

import io.pgstress.plan.option.Forms;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A file that is replaced as a whole or not at all: checked for writability before the work, then written to a
 * temporary name beside it and renamed. Anything but a regular file (a pipe, a device) is written directly.
 */
public final class AtomicFile {
    /** Writes the file's contents. */
    @FunctionalInterface
    public interface Body {
        void writeTo(Writer out) throws IOException;
    }

    private final Path path;

    public AtomicFile(Path path) {
        this.path = path.toAbsolutePath().normalize();
    }

    public Path path() {
        return path;
    }

    /** The numbered file beside it: {@code r-2.json} for {@code r.json}. */
    public AtomicFile numbered(int number) {
        String name = String.valueOf(path.getFileName());
        int dot = name.lastIndexOf('.');
        String stem = dot > 0 ? name.substring(0, dot) : name;
        return new AtomicFile(path.resolveSibling(stem + "-" + number + name.substring(stem.length())));
    }

    /**
     * Checks that the file can be written; leaves nothing behind.
     *
     * @throws FileSystemException if it cannot be written; the message names the file
     */
    public void touch() throws FileSystemException {
        if (isSpecial()) {
            return;
        }
        if (!Files.isDirectory(directory())) {
            throw new FileSystemException(path.toString(), null, noDirectory());
        }
        if (Files.isDirectory(path)) {
            throw new FileSystemException(path.toString(), null, "is a directory");
        }
        try {
            Files.delete(temporary());
        } catch (IOException e) {
            throw new FileSystemException(path.toString(), null, "cannot be written: " + Forms.unreadable(e));
        }
    }

    /**
     * Writes the file.
     *
     * @throws FileSystemException if it cannot be written; an existing file is unchanged
     */
    public void write(Body body) throws IOException {
        try {
            if (isSpecial()) {
                writeTo(path, body);
                return;
            }
            Path temporary = temporary();
            try {
                writeTo(temporary, body);
                move(temporary);
            } finally {
                Files.deleteIfExists(temporary);
            }
        } catch (IOException e) { // it may name the temporary file
            throw new FileSystemException(
                    path.toString(), null, Files.isDirectory(directory()) ? Forms.unreadable(e) : noDirectory());
        }
    }

    private String noDirectory() {
        return "there is no directory " + directory();
    }

    private static void writeTo(Path file, Body body) throws IOException {
        try (Writer out = new BufferedWriter(Files.newBufferedWriter(file, StandardCharsets.UTF_8))) {
            body.writeTo(out);
        }
    }

    private void move(Path temporary) throws IOException {
        try {
            Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(temporary, path, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private boolean isSpecial() {
        return Files.exists(path) && !Files.isRegularFile(path) && !Files.isDirectory(path);
    }

    private Path temporary() throws IOException {
        return Files.createFile(directory()
                .resolve(
                        "." + path.getFileName() + "." + ProcessHandle.current().pid() + ".tmp"));
    }

    private Path directory() {
        Path parent = path.getParent();
        return parent == null ? path : parent;
    }
}
