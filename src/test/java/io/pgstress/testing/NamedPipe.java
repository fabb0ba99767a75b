package io.pgstress.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** Pipes in the file system, which can be read once, like those of {@code <(...)} in a shell. */
public final class NamedPipe {
    private NamedPipe() {}

    /** Makes a pipe that gives these bytes; completes once all of them are read. */
    public static CompletableFuture<Path> of(Path path, byte[] bytes) throws IOException, InterruptedException {
        if (new ProcessBuilder("mkfifo", path.toString()).start().waitFor() != 0) {
            throw new IOException("mkfifo " + path);
        }
        return CompletableFuture.supplyAsync(() -> {
            try {
                return Files.write(path, bytes);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
