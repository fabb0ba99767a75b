package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.report.Samples;
import io.pgstress.text.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code report --history} on 30 saved results; the last 8 are 10% slower. */
final class HistoryReportTest {
    private static final int RUNS = 30;
    private static final int SLOWER_FROM = 22;

    private Ended ended = new Ended(0, "", "");

    @TempDir
    private Path directory;

    private Path kept;

    @BeforeEach
    void save() throws IOException {
        kept = Files.createDirectory(directory.resolve("kept"));
        Random random = new Random(1);
        for (int i = 0; i < RUNS; i++) {
            double ops = (i < SLOWER_FROM ? 4_000 : 3_600) * (1 + 0.02 * random.nextGaussian());
            Files.writeString(kept.resolve(String.format("2026%04d.json", i)), result(i, ops));
        }
        Files.writeString(kept.resolve("notes.json"), "{}");
    }

    @SuppressWarnings("unchecked")
    private static String result(int number, double ops) {
        Map<String, Object> result = Json.readMap(Json.write(Samples.closed()));
        Map<String, Object> run = (Map<String, Object>) result.get("run");
        run.put("id", String.format("%08d-run", number));
        run.put("startedAt", String.format("2026-10-%02dT12:00:00Z", number + 1));
        ((Map<String, Object>) result.get("operations"))
                .values()
                .forEach(operation -> ((Map<String, Object>) operation).put("opsPerSecond", ops));
        if (number >= SLOWER_FROM) {
            ((Map<String, Object>) ((List<?>) result.get("servers")).get(0)).put("version", "99.1");
        }
        return Json.write(result);
    }

    private int history(String options) {
        ended = Ended.stress("report --history --dir " + kept, options);
        return ended.code();
    }

    @Test
    void namesTheRunTheSizeAndWhatElseChanged() {
        assertThat(history("")).isEqualTo(ExitCode.DONE);

        assertThat(ended.out())
                .startsWith("find_first on check_in, prepared statements, ")
                .contains("  30 valid runs, 2026-10-01 to 2026-10-30\n")
                .containsPattern("  worse: ops/s -\\d+\\.\\d% \\(-\\d+\\.\\d% to -\\d+\\.\\d%\\) since run 23 of 30 "
                        + "\\(00000022, 2026-10-23T12:00:00Z\\): [34],\\d+, then 3,\\d+\n")
                .contains("    with it changed: server: PostgreSQL 18.6 -> 99.1\n");
        assertThat(ended.err()).isEmpty();
    }

    @Test
    void failsOnlyIfTheChangeIsRecent() {
        assertThat(history("--fail-on-change")).isEqualTo(ExitCode.LIMIT_BROKEN);
        assertThat(history("--fail-on-change --last-runs 8")).isEqualTo(ExitCode.LIMIT_BROKEN);
        assertThat(history("--fail-on-change --last-runs 7")).isEqualTo(ExitCode.DONE);
    }

    @Test
    void plotsEveryRunAndTheChange() throws IOException {
        Path page = directory.resolve("h.html");
        Path json = directory.resolve("h.json");

        assertThat(history("--html %s --json %s".formatted(page, json))).isEqualTo(ExitCode.DONE);

        String html = Files.readString(page);
        assertThat(html.split("<circle ", -1)).hasSize(1 + RUNS * 3); // ops/s, p50, p99
        assertThat(html)
                .containsOnlyOnce("<line class=\"worse\"")
                .contains("ops/s of 30 runs, from ")
                .contains("changes at run 23\"");
        List<?> trends = Json.read(Files.readString(json), List.class);
        assertThat(trends).hasSize(1);
        assertThat(Files.readString(json)).contains("\"at\" : 22", "\"worse\" : true", "\"opsPerSecond\" : ");
    }

    @Test
    void takesTheNamedResults() {
        assertThat(history("%s/20260001.json %s/20260002.json".formatted(kept, kept)))
                .isEqualTo(ExitCode.DONE);

        assertThat(ended.out())
                .contains("2 valid runs, 2026-10-02 to 2026-10-03; a change can be found from 6 runs on");
    }

    @Test
    void badInputIsOneLine() {
        assertRefused("--fail-on-change: needs --history", "report --fail-on-change last");
        assertRefused("--csv", "report --history --dir " + kept + " --csv x.csv");
        assertRefused("use --fail-on-change", "report --history --fail-if p99>5ms");
        assertRefused("stdout", "report --history --html -");
        assertRefused("nowhere: no such file", "report --history nowhere");
    }

    private static void assertRefused(String message, String line) {
        Ended refused = Ended.stress(line);
        assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.err()).contains(message).hasLineCount(1);
    }
}
