package io.pgstress.target.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

final class PgCtlTest {
    @TempDir
    private Path directory;

    @Test
    void crashIsTheFirstPanicOfTheLog() throws IOException {
        Path log = directory.resolve("server.log");
        PgCtl control = new PgCtl("PostgreSQL 17", directory, directory, log);
        assertThat(control.crash()).isEmpty();

        Files.writeString(log, "2026-01-01 00:00:00 UTC [7] LOG:  database system is ready\n");
        assertThat(control.crash()).isEmpty();

        Files.writeString(log, """
            2026-01-01 00:00:00 UTC [7] LOG:  database system is ready
            2026-01-01 00:00:01 UTC [9] PANIC:  could not write to file "pg_wal/xlogtemp.9": No space left on device
            2026-01-01 00:00:02 UTC [7] PANIC:  could not write to file "pg_wal/xlogtemp.7": No space left on device
            """);
        assertThat(control.crash()).isEqualTo("could not write to file \"pg_wal/xlogtemp.9\": No space left on device");
    }

    /** The program prints all that it does. */
    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "it has no sh")
    void initdbThatFailsIsOneLine() throws IOException {
        Path initdb = directory.resolve("initdb");
        Files.writeString(initdb, """
            #!/bin/sh
            echo 'creating subdirectories ... ok'
            echo '2026-01-01 00:00:00 UTC [9] FATAL:  could not write: No space left on device'
            echo 'child process exited with exit code 1'
            exit 1
            """);
        assertThat(initdb.toFile().setExecutable(true)).isTrue();

        assertThatThrownBy(() -> PgCtl.initialize(directory, directory.resolve("data")))
                .isInstanceOf(IOException.class)
                .message()
                .endsWith("FATAL:  could not write: No space left on device")
                .doesNotContain("\n");
    }
}
