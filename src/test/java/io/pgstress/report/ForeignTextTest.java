package io.pgstress.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.report.file.ReportWriter;
import io.pgstress.report.text.ConsoleReport;
import io.pgstress.report.text.JunitReport;
import io.pgstress.report.text.MarkdownReport;
import io.pgstress.result.RunResult;
import io.pgstress.text.Json;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What servers and files say reaches no terminal as a command to it. */
final class ForeignTextTest {
    static Stream<ReportWriter> forPeople() {
        return Stream.of(new ConsoleReport(true), new MarkdownReport(), new JunitReport());
    }

    /** A run in which every text has a sequence that sets a terminal's title, and one that reverses what follows. */
    private static RunResult hostile() {
        String json = Json.write(Samples.open())
                .replaceAll("(?<=: \")(?=[^\"]* [^\"]*\")", "\\\\u001b]0;x\\\\u0007\\\\u202e")
                .replace("find_first", "find\\u001b[2J_first");
        return Json.read(json, RunResult.class);
    }

    @ParameterizedTest
    @MethodSource("forPeople")
    void controlsAreVisible(ReportWriter report) throws IOException {
        StringBuilder out = new StringBuilder();
        report.write(List.of(hostile()), out);
        assertThat(out.toString().replace("\\\\", "\\"))
                .contains("find\\u001b")
                .contains("\\u202e")
                .doesNotContain("\u001b", "\u0007", "\u202e");
    }
}
