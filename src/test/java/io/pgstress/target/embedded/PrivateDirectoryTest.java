package io.pgstress.target.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import io.pgstress.target.driver.TargetException;
import io.pgstress.target.embedded.EmbeddedServer.PrivateDirectory;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** No other user can replace the programs of the embedded server. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "it has no such permissions")
final class PrivateDirectoryTest {
    @TempDir
    private Path parent;

    private static String permissions(Path directory) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(directory));
    }

    @Test
    void onlyTheOwnerMayUseTheServersDirectory() throws IOException {
        assertThat(TestServer.port()).isPositive(); // it is there
        assertThat(permissions(TestServer.DIRECTORY.resolve("postgresql-18"))).isEqualTo("rwx------");
    }

    @Test
    void repairsAWritableDirectoryAndReportsItOnce() throws IOException {
        Path directory = Files.createDirectory(parent.resolve("open"));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(PrivateDirectory.secure(directory)).contains("was writable by other users (rwxrwxrwx)");
        assertThat(permissions(directory)).isEqualTo("rwx------");
        assertThat(PrivateDirectory.secure(directory)).isEmpty();
    }

    @Test
    void refusesADirectoryOfAnotherUser() throws IOException {
        Path directory = Files.createDirectory(parent.resolve("anothers"));
        try {
            Files.setAttribute(directory, "unix:uid", 12_345, LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            abort("the directory of another user: only root can give one away");
        }
        assertThatThrownBy(() -> PrivateDirectory.secure(directory))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("belongs to 12345");
    }
}
