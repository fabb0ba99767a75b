package io.pgstress.plan.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.plan.Purpose;
import io.pgstress.plan.custom.CustomOperations;
import io.pgstress.plan.script.Script;
import io.pgstress.testing.Runs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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

    @Test
    void namesScriptsBesideItself(@TempDir Path directory) throws IOException {
        Files.writeString(directory.resolve("mine.sql"), "select :a;");
        Path file = Files.writeString(directory.resolve("scenario.yaml"), """
                base:
                  operations: mine.sql
                  op: [mine:3, simple_update]
                  define: {a: 5}
                vary:
                  statement: [plain, prepared]
                """);

        Scenario scenario = new ScenarioExpansion(Runs.reader(), Purpose.BLOCK)
                .expand(ScenarioReader.read(file, List.of(CustomOperations.FILES)));

        assertThat(scenario.first().mixLabel()).isEqualTo("mine:3,simple_update:1");
        assertThat(scenario.first().get(Script.DEFINE)).containsExactly(Map.entry("a", "5"));
        assertThat(CustomOperations.scripts(scenario.first().options()))
                .extracting(Script::file)
                .containsExactly(directory.resolve("mine.sql").toString());
    }
}
