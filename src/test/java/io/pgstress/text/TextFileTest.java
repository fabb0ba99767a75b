package io.pgstress.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that have no end, or are too large. */
final class TextFileTest {
    @TempDir
    private Path directory;

    @Test
    void fileBeyondTheLimitIsNamed() throws IOException {
        Path file = Files.writeString(directory.resolve("f"), "x".repeat(1 << 20));
        assertThat(TextFile.read(file, 1 << 20)).hasSize(1 << 20);
        Files.writeString(file, "x".repeat((1 << 20) + 1));
        assertThatThrownBy(() -> TextFile.read(file, 1 << 20))
                .isInstanceOf(FileSystemException.class)
                .hasMessage(file + ": it is larger than 1 MiB");
    }

    @Test
    void textMustBeUtf8() throws IOException {
        Path file = Files.write(directory.resolve("f"), new byte[] {'a', (byte) 0xff});
        assertThatThrownBy(() -> TextFile.read(file, 100)).isInstanceOf(MalformedInputException.class);
    }
}
