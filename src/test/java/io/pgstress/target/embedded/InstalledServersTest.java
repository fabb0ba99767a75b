package io.pgstress.target.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.plan.server.ServerRequest;
import io.pgstress.target.driver.TargetException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/** Which programs {@code --server} finds on a machine, and what is said if they are missing. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the programs are scripts of a shell")
final class InstalledServersTest {
    private static final String ARTIFACT = ServerArchive.ofThisPlatform().artifact();

    @TempDir
    private Path directory;

    private Runnable check = () -> {};

    private InstalledServers servers() {
        return new InstalledServers(
                directory.resolve("home"),
                check,
                List.of(directory + "/debian/%s/bin", directory + "/pgsql-%s/bin"),
                List.of(directory.resolve("bin")),
                directory.resolve("repository"));
    }

    private ServerBuild find(String build) {
        return servers().find(new ServerRequest(build, Map.of(), ""));
    }

    /** Makes programs that say this release. */
    private Path install(String folder, String release) throws IOException {
        Path bin = Files.createDirectories(directory.resolve(folder));
        for (String name : List.of("postgres", "initdb", "pg_ctl")) {
            program(bin.resolve(name), "echo 'postgres (PostgreSQL) " + release + " (of a test)'");
        }
        return bin;
    }

    private static void program(Path file, String script) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    /** A build of this release as it is published, with a small program. */
    private Path jar(String version) throws IOException {
        byte[] program = "#!/bin/sh\n".getBytes(StandardCharsets.US_ASCII);
        ByteArrayOutputStream archive = new ByteArrayOutputStream();
        try (TarArchiveOutputStream tar =
                new TarArchiveOutputStream(new XZOutputStream(archive, new LZMA2Options(LZMA2Options.PRESET_MIN)))) {
            TarArchiveEntry entry = new TarArchiveEntry("bin/postgres");
            entry.setSize(program.length);
            entry.setMode(0755);
            tar.putArchiveEntry(entry);
            tar.write(program);
            tar.closeArchiveEntry();
        }
        Path folder = directory.resolve("repository/io/zonky/test/postgres/" + ARTIFACT + "/" + version);
        Path jar = Files.createDirectories(folder).resolve(ARTIFACT + "-" + version + ".jar");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
            zip.putNextEntry(new ZipEntry(ServerArchive.ofThisPlatform().resource()));
            zip.write(archive.toByteArray());
            zip.closeEntry();
        }
        return jar;
    }

    private void assertMissing(String build, String... parts) {
        assertThatThrownBy(() -> find(build))
                .isInstanceOf(TargetException.class)
                .message()
                .contains(parts)
                .doesNotContain("\n");
        assertThat(directory.resolve("home/builds")).doesNotExist();
    }

    @Test
    void foldersOfPackagesComeBeforeThePathAndThePathBeforeTheRepository() throws IOException {
        Path jar = jar("15.99.0");
        assertThat(find("15").origin()).isEqualTo(jar.toString());

        Path found = install("bin", "15.9");
        assertThat(find("15").bin()).isEqualTo(found);

        Path rpm = install("pgsql-15/bin", "15.8");
        assertThat(find("15").bin()).isEqualTo(rpm);

        Path debian = install("debian/15/bin", "15.7");
        assertThat(find("15").bin()).isEqualTo(debian);
        assertThat(find("15").origin()).isEqualTo(debian.toString());
        assertThat(find("15").sha256()).hasSize(64);
    }

    @Test
    void releaseIsTheOneThatTheProgramsSay() throws IOException {
        install("debian/15/bin", "15.7");
        Path other = install("bin", "15.9");

        assertThat(find("15.9").bin()).isEqualTo(other);
        assertMissing("15.8", "PostgreSQL 15.8 is not installed");
        assertMissing("15.70", "PostgreSQL 15.70 is not installed");
    }

    @Test
    void clientsPackageIsNoServer() throws IOException {
        Files.delete(install("debian/15/bin", "15.7").resolve("initdb"));
        assertMissing("15", "PostgreSQL 15 is not installed");
    }

    @Test
    void newestJarOfALocalRepositoryIsUnpackedOnce() throws IOException {
        jar("16.9.0");
        Path newest = jar("16.10.0");

        ServerBuild unpacked = find("16");

        assertThat(unpacked.origin()).isEqualTo(newest.toString());
        assertThat(unpacked.sha256()).isEqualTo(ServerBuild.sha256(Files.readAllBytes(newest)));
        assertThat(unpacked.bin().resolve("postgres")).isExecutable();
        check = () -> {
            throw new CancellationException();
        };
        assertThat(find("16")).isEqualTo(unpacked);
        assertThatThrownBy(() -> find("16.9"))
                .as("a signal ends the command before it unpacks")
                .isInstanceOf(CancellationException.class);
        assertThat(directory.resolve("home/temporary")).isEmptyDirectory();
    }

    @Test
    void bundledVersionIsFoundFirst() throws IOException {
        install("debian/" + EmbeddedServer.MAJOR + "/bin", EmbeddedServer.MAJOR + ".1");

        ServerBuild bundled = find(EmbeddedServer.MAJOR);

        assertThat(bundled.origin()).isEqualTo("bundled");
        assertThat(PgCtl.version(bundled.bin())).startsWith(EmbeddedServer.MAJOR + ".");
        assertThat(find(EmbeddedServer.MAJOR + ".1").bin())
                .isEqualTo(directory.resolve("debian/" + EmbeddedServer.MAJOR + "/bin"));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "apt-get, apt-get install postgresql-15'",
        "dnf, dnf install postgresql15-server'",
        "zypper, zypper install postgresql15-server'",
        "brew, 'install it with ''brew install postgresql@15'''",
        "winget, winget install PostgreSQL.PostgreSQL.15'",
    })
    void missingVersionNamesTheMachinesPackageManager(String manager, String command) throws IOException {
        Files.createDirectories(directory.resolve("bin"));
        program(directory.resolve("bin").resolve(manager), "exit 1");

        assertMissing("15", command, "name the folder of its programs");
    }

    @Test
    void missingVersionNamesAPublishedBuild() {
        String newest = InstalledServers.published().stream()
                .filter(release -> release.startsWith("15."))
                .reduce((older, newer) -> newer)
                .orElseThrow();
        assertMissing(
                "15",
                "'mvn dependency:get -Dartifact=io.zonky.test.postgres:" + ARTIFACT + ":" + newest + "'",
                "name the folder of its programs");
        assertThatThrownBy(() -> find("15.99"))
                .isInstanceOf(TargetException.class)
                .hasMessage("--server: PostgreSQL 15.99 is not installed: name the folder of its programs");
    }

    @Test
    void folderWithoutProgramsIsRefused() {
        assertMissing(directory.toString(), directory + " does not contain postgres");
    }

    @Test
    void fileThatIsNoBuildIsNamed() throws IOException {
        Path jar = jar("16.9.0");
        Files.write(jar, Arrays.copyOf(Files.readAllBytes(jar), 10));
        assertMissing("16", jar + " does not contain postgres-");
    }
}
