package io.pgstress.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Writes the reason of each skipped test to a file of this JVM in the directory {@code -Dpgstress.test.skipped}, one line per
 * test or class, for {@link NotTested}. Does nothing without that property.
 */
public final class SkippedTests implements TestExecutionListener {
    private static final String DIRECTORY = System.getProperty("pgstress.test.skipped", "");

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        write(reason);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (result.getStatus() == TestExecutionResult.Status.ABORTED) {
            write(result.getThrowable().map(Throwable::getMessage).orElse("no reason given"));
        }
    }

    private static synchronized void write(String reason) {
        if (DIRECTORY.isEmpty()) {
            return;
        }
        try {
            Path directory = Files.createDirectories(Path.of(DIRECTORY));
            Files.writeString(
                    directory.resolve(ProcessHandle.current().pid() + ".txt"),
                    reason.replaceAll("\\s+", " ").replace("Assumption failed: ", "") + "\n",
                    StandardCharsets.UTF_8,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
