package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.testing.Child;
import io.pgstress.testing.Slow;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands whose input does not come end at the first signal. */
@Slow
@Timeout(300)
final class StalledInputTest {
    private static final String NOWHERE = " --url jdbc:postgresql://127.0.0.1:1/x?user=x";

    @TempDir
    private Path directory;

    private Path pipe() throws IOException, InterruptedException {
        Path pipe = directory.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        return pipe;
    }

    private static void endsAtTheFirstSignal(Child child, String kept) throws Exception {
        child.signal("TERM");
        assertThat(child.waitFor(30_000)).as(child.err()).isTrue();
        assertThat(child.exit()).as(child.err()).isEqualTo(143);
        assertThat(child.err().lines().reduce("", (before, line) -> line))
                .startsWith("stress: interrupted")
                .contains(kept)
                .endsWith("(exit code 143)");
    }

    @Test
    void importOfStandardInput() throws Exception {
        try (Child child = new Child(directory, "import -" + NOWHERE)) {
            child.awaitThread("input");
            endsAtTheFirstSignal(child, "nothing was imported");
        }
    }

    @Test
    void comparisonWithStandardInput() throws Exception {
        try (Child child = new Child(directory, "diff -" + NOWHERE)) {
            child.awaitThread("input");
            endsAtTheFirstSignal(child, "nothing was compared");
        }
    }

    @Test
    void importOfAPipeThatNobodyWrites() throws Exception {
        try (Child child = new Child(directory, "import " + pipe() + NOWHERE)) {
            child.awaitThread("input");
            endsAtTheFirstSignal(child, "nothing was imported");
        }
    }

    @Test
    void operationsThatDoNotEnd() throws Exception {
        Path pipe = pipe();
        try (Child child = new Child(directory, "--op nap --operations " + pipe)) {
            CompletableFuture<OutputStream> writer = CompletableFuture.supplyAsync(() -> {
                try {
                    return Files.newOutputStream(pipe); // returns when the child has opened it
                } catch (IOException e) {
                    throw new CompletionException(e);
                }
            });
            try (OutputStream open = writer.get(120, TimeUnit.SECONDS)) {
                open.write('#');
                endsAtTheFirstSignal(child, "nothing was done");
            }
        }
    }
}
