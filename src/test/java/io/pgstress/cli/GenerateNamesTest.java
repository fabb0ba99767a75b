package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A sample dump is written into its own folder, whatever its collection is called. */
final class GenerateNamesTest {
    @TempDir
    private Path directory;

    private static List<String> files(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(Files::isRegularFile)
                    .map(file -> root.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }

    @Test
    void collectionCannotLeadOutOfTheFolder() throws IOException {
        Path folder = directory.resolve("a/b/c");
        Ended ended = Ended.ofWords(
                "generate", "--no-gzip", "--count", "1", "--collection", "../../\"x\"", folder.toString());
        assertThat(ended.code()).isZero();
        assertThat(ended.out()).contains("..%2F..%2F%22x%22.bson");
        assertThat(files(directory))
                .containsExactly(
                        "a/b/c/prelude.json",
                        "a/b/c/stress/..%2F..%2F%22x%22.bson",
                        "a/b/c/stress/..%2F..%2F%22x%22.metadata.json");
        assertThat(Files.readString(folder.resolve("stress/..%2F..%2F%22x%22.metadata.json")))
                .contains("\"collectionName\":\"../../\\\"x\\\"\"");
    }

    /** The fault is the disk's, and no server's. */
    @Test
    void fullDiskIsToldWithTheFile() {
        Ended ended = Ended.ofWords("generate", "--count", "100000", "--copy-text", "/dev/full", directory.toString());
        assertThat(ended.code()).isEqualTo(ExitCode.USAGE);
        assertThat(ended.err()).contains("stress: /dev/full: No space left on device");
        assertThat(Path.of("/dev/full")).as("only files are deleted").exists();
    }

    @ParameterizedTest
    @ValueSource(strings = {"../x", "..", "a/b", "a\\b", "a b", "", "x\"y"})
    void databaseMustHaveANameThatMongodbAllows(String name) throws IOException {
        Ended ended = Ended.ofWords("generate", "--db=" + name, directory.toString());
        assertThat(ended.code()).isEqualTo(ExitCode.USAGE);
        assertThat(ended.err()).startsWith("stress: --db: must be the name of a MongoDB database");
        assertThat(files(directory)).isEmpty();
    }
}
