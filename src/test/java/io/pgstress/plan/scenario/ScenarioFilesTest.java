package io.pgstress.plan.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.plan.Purpose;
import io.pgstress.plan.custom.CustomOperations;
import io.pgstress.testing.Runs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The scenarios that come with the program. */
final class ScenarioFilesTest {
    static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("config"))) {
            return files.filter(f -> f.getFileName().toString().matches("\\d.*\\.yaml"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("files")
    void isValidAndExplainsItself(Path file) throws IOException {
        String text = Files.readString(file);
        ScenarioDraft draft = ScenarioReader.read(file, List.of(CustomOperations.FILES));
        Scenario scenario = new ScenarioExpansion(Runs.reader(), Purpose.BLOCK)
                .expand(draft.with(
                        Map.of(
                                "url",
                                List.of("jdbc:postgresql://a/db", "jdbc:postgresql://b/db", "jdbc:postgresql://c/db"),
                                "table",
                                List.of("check_in")),
                        Map.of(),
                        Map.of()));

        assertThat(scenario.name()).isNotEmpty();
        assertThat(scenario.workloads()).allMatch(w -> w.variants().size() > 1);
        assertThat(text).startsWith("# ").contains("# What to look for: ");
    }
}
