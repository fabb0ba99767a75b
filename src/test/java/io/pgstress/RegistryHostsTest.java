package io.pgstress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * No file names the host of a package registry: nothing is fetched at run time, and where Maven and the package managers fetch from is the
 * user's choice.
 */
final class RegistryHostsTest {
    /** Their ends as words, so that this file does not name one. */
    private static final List<String> HOSTS = Stream.of(
                    "maven org",
                    "repo maven apache org",
                    "sonatype org",
                    "sonatype com",
                    "maven google com",
                    "plugins gradle org",
                    "jitpack io",
                    "npmjs org",
                    "npmjs com",
                    "yarnpkg com",
                    "pypi org",
                    "pythonhosted org",
                    "crates io",
                    "rubygems org",
                    "proxy golang org",
                    "nuget org",
                    "docker io",
                    "docker com",
                    "ghcr io",
                    "quay io",
                    "mcr microsoft com",
                    "deb debian org",
                    "archive ubuntu com",
                    "apt postgresql org",
                    "yum postgresql org",
                    "zypp postgresql org",
                    "download postgresql org",
                    "ftp postgresql org")
            .map(words -> words.replace(' ', '.'))
            .toList();

    /** What is not in the repository. */
    private static final List<String> GENERATED = List.of(".git", "target");

    private static Stream<Path> files() throws IOException {
        try (Stream<Path> top = Files.list(Path.of(""))) {
            return top.filter(path -> !GENERATED.contains(path.toString())).toList().stream()
                    .flatMap(RegistryHostsTest::below);
        }
    }

    private static Stream<Path> below(Path path) {
        try (Stream<Path> files = Files.walk(path)) {
            return files.filter(Files::isRegularFile).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The hosts that a file names; bytes that are not text cannot hide one. */
    private static List<String> named(Path file) {
        try {
            String text = Files.readString(file, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
            return HOSTS.stream().filter(text::contains).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void noFileNamesThem() throws IOException {
        assertThat(files()).contains(Path.of("pom.xml"), Path.of("docs", "versions.md"));
        assertThat(files())
                .allSatisfy(file -> assertThat(named(file)).as(file.toString()).isEmpty());
    }
}
