package io.pgstress.report.file;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.report.Samples;
import io.pgstress.text.Json;
import io.pgstress.text.TextException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A result that is none is refused with the name of its file. */
final class ResultFileTest {
    @Test
    void fileOfADamagedHistogramIsNamed(@TempDir Path directory) throws IOException {
        String json =
                Json.write(Samples.closed()).replaceFirst("\"histogram\" : \"[^\"]*\"", "\"histogram\" : \"AAAA\"");
        Path file = Files.writeString(directory.resolve("damaged.json"), json);
        assertThatThrownBy(() -> ResultFile.read(file))
                .isInstanceOf(TextException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("not a compressed HdrHistogram");
    }
}
