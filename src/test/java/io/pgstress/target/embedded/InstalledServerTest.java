package io.pgstress.target.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.target.embedded.EmbeddedServer.ServerFiles;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Binaries that a container image has already unpacked. */
final class InstalledServerTest {
    @TempDir
    Path home;

    @Test
    void installedBinariesMakeTheDataAndNothingIsUnpacked() throws IOException {
        ServerFiles files = new ServerFiles("PostgreSQL 18", home, Optional.of(unpacked()), Map.of());
        files.make();
        assertThat(files.areComplete()).isTrue();
        assertThat(files.data().resolve("PG_VERSION")).hasContent("18");
        assertThat(files.data().resolve("postgresql.conf")).content().contains("# pgstress");
        try (Stream<Path> made = Files.list(home)) {
            assertThat(made).map(Path::getFileName).map(Path::toString).containsExactlyInAnyOrder("complete", "data");
        }
    }

    @Test
    void whatInitdbRefusesIsOneLine() throws IOException {
        Path data = Files.createDirectories(home.resolve("taken/of")).getParent();
        assertThatThrownBy(() -> PgCtl.initialize(unpacked(), data))
                .isInstanceOf(IOException.class)
                .hasMessage("initdb: error: directory \"" + data + "\" exists but is not empty");
    }

    private static Path unpacked() throws IOException {
        TestServer.port(); // which unpacks them
        try (Stream<Path> files = Files.list(TestServer.DIRECTORY.resolve("postgresql-18"))) {
            return files.filter(f -> f.getFileName().toString().startsWith("PG-"))
                    .findFirst()
                    .orElseThrow()
                    .resolve("bin");
        }
    }
}
