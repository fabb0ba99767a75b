package io.pgstress.target.embedded;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.target.driver.TargetException;
import io.pgstress.testing.ServerHomes;
import io.pgstress.testing.Slow;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An embedded server whose files were damaged. */
@Slow
final class DamagedDataTest {
    @TempDir
    private Path directory;

    @Test
    void namesTheDirectoryToDelete() throws Exception {
        ServerHomes.make(directory);
        Path home = directory.resolve("postgresql-" + EmbeddedServer.MAJOR);
        Files.delete(home.resolve("data").resolve("global").resolve("pg_control"));

        assertThatThrownBy(() -> EmbeddedServer.open(directory))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("; if its data are damaged, delete " + home + ": ");
    }
}
