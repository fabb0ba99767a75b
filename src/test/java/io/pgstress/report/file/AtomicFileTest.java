package io.pgstress.report.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AtomicFileTest {
    @TempDir
    private Path directory;

    @Test
    void touchLeavesNothingBehind() throws IOException {
        new AtomicFile(directory.resolve("r.json")).touch();

        assertThat(names()).isEmpty();
    }

    @Test
    void touchKeepsAnExistingFile() throws IOException {
        Path file = Files.writeString(directory.resolve("r.json"), "earlier");

        new AtomicFile(file).touch();

        assertThat(file).hasContent("earlier");
    }

    @Test
    void touchNamesAFileThatCannotBeWritten() {
        Path file = directory.resolve("none").resolve("r.json");

        assertThatThrownBy(() -> new AtomicFile(file).touch())
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file.toString());
        assertThatThrownBy(() -> new AtomicFile(directory).touch()).hasMessageContaining("is a directory");
    }

    @Test
    void writeReplacesTheFileAndLeavesNoOther() throws IOException {
        Path file = Files.writeString(directory.resolve("r.json"), "earlier");

        new AtomicFile(file).write(out -> out.append("later"));

        assertThat(file).hasContent("later");
        assertThat(names()).containsExactly("r.json");
    }

    /** The user knows nothing about the temporary file. */
    @Test
    void writeIntoADirectoryThatIsGoneNamesTheFileAndTheDirectory() {
        Path file = directory.resolve("gone").resolve("r.json");

        assertThatThrownBy(() -> new AtomicFile(file).write(out -> out.append("text")))
                .hasMessage(file + ": there is no directory " + file.getParent());
    }

    @Test
    void failedWriteKeepsTheExistingFile() throws IOException {
        Path file = Files.writeString(directory.resolve("r.json"), "earlier");

        assertThatThrownBy(() -> new AtomicFile(file).write(out -> {
                    out.append("half");
                    throw new IllegalArgumentException();
                }))
                .isInstanceOf(IllegalArgumentException.class);

        assertThat(file).hasContent("earlier");
        assertThat(names()).containsExactly("r.json");
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(p -> p.getFileName().toString()).toList();
        }
    }
}
