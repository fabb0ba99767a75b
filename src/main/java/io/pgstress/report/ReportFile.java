package io.pgstress.report;

import io.pgstress.result.Finding;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * A file that a report goes into: proven to be writable before the measuring, and written to a temporary name beside it
 * and then moved, so that it is never half a report. What is no regular file (a pipe, a device) is written as it is.
 */
public final class ReportFile {
    private final ReportWriter writer;
    private final Path path;

    public ReportFile(ReportWriter writer, Path path) {
        this.writer = writer;
        this.path = path.toAbsolutePath();
    }

    public Path path() {
        return path;
    }

    public ReportWriter writer() {
        return writer;
    }

    /**
     * Makes sure that the report can be written: creates the file where there is none, leaves what there is.
     *
     * @throws IOException where it cannot be; the message names the file
     */
    public void touch() throws IOException {
        if (isSpecial()) {
            return;
        }
        Path directory = directory();
        if (!Files.isDirectory(directory)) {
            throw new IOException(path + ": there is no directory " + directory);
        }
        if (Files.isDirectory(path)) {
            throw new IOException(path + ": is a directory");
        }
        try {
            if (!Files.exists(path)) {
                Files.createFile(path);
            }
            Files.delete(temporary());
        } catch (IOException e) {
            throw new IOException(path + ": cannot be written (" + e.getClass().getSimpleName() + ")", e);
        }
    }

    /**
     * Writes the report.
     *
     * @throws IOException where it cannot be written; what was there before is there still
     */
    public void write(List<? extends Finding> results) throws IOException {
        if (isSpecial()) {
            writeTo(path, results);
            return;
        }
        Path temporary = temporary();
        try {
            writeTo(temporary, results);
            move(temporary);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private void writeTo(Path file, List<? extends Finding> results) throws IOException {
        try (Writer out = new BufferedWriter(Files.newBufferedWriter(file, StandardCharsets.UTF_8))) {
            writer.write(results, out);
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
