package io.pgstress.report.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.report.MoreSamples;
import io.pgstress.report.Samples;
import io.pgstress.result.Result;
import io.pgstress.result.RunInfo.PhaseLength;
import io.pgstress.result.RunResult;
import io.pgstress.text.Json;
import io.pgstress.text.Records;
import io.pgstress.text.TextException;
import io.pgstress.verdict.ResultMerge;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A result that is none, or that somebody has edited, is refused with the name of its file. */
final class ResultFileTest {
    @TempDir
    private Path directory;

    @Test
    void fileOfADamagedHistogramIsNamed() throws IOException {
        String json =
                Json.write(Samples.closed()).replaceFirst("\"histogram\" : \"[^\"]*\"", "\"histogram\" : \"AAAA\"");
        Path file = Files.writeString(directory.resolve("damaged.json"), json);
        assertThatThrownBy(() -> ResultFile.read(file))
                .isInstanceOf(TextException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("not a compressed HdrHistogram");
    }

    /** Each figure follows from others, so that a change of it alone is seen. */
    @ParameterizedTest
    @CsvSource({
        "operations.find_first.opsPerSecond, 40000, operations.find_first.opsPerSecond is 40000.0",
        "operations.find_first.okInWindow, 400000, operations.find_first.opsPerSecond is 4000.0",
        "operations.find_first.ok, 30000, operations.find_first.latencyMicros.total.count is 40000",
        "operations.find_first.latencyMicros.total.count, 39999, operations.find_first.latencyMicros.total.count is 39999",
        "operations.find_first.latencyMicros.total.p99, 2000, operations.find_first.latencyMicros.total.p99 is 2000.0",
        "operations.find_first.latencyMicros.total.p50, 9000, operations.find_first.latencyMicros.total.p90 is",
        "operations.find_first.latencyMicros.total.mean, 900, operations.find_first.latencyMicros.total.mean is 900.0",
        "nodes.0.operations.find_first.ok, 20000, nodes[0].operations.find_first.latencyMicros.total.count is 40000",
        "nodes.0.operations.find_first.misses, 1, 'operations.find_first.misses is 0, but all nodes together have 1'",
        "intervals.3.ok, 8000, 'intervals[3].ok is 8000'",
        "intervals.3.opsPerSecond, 8000, 'intervals[3].opsPerSecond is 8000.0'",
        "valid, false, 'valid is false, but the number of its reasons is 0'"
    })
    void figureOfARunThatContradictsOthersIsRefused(String path, String value, String message) throws IOException {
        assertRefused(Samples.closed(), path, value, message);
    }

    /** Intervals are what a later comparison takes from a run. */
    @Test
    void countsOfAnIntervalThatAgreeWithEachOtherAreComparedWithThoseOfTheRun() throws IOException {
        RunResult run = Samples.closed();
        Path file = directory.resolve("edited.json");
        Files.writeString(
                file,
                Json.write(run.withIntervals(
                        run.intervals().subList(0, 9)))); // a tenth is missing, each of the others is whole

        assertThatThrownBy(() -> ResultFile.read(file))
                .isInstanceOf(ContradictionException.class)
                .hasMessageContaining(
                        "okInWindow of all operations is 40000, but the intervals of the measurement have");
    }

    @ParameterizedTest
    @CsvSource({
        "effects.0.ratio, 1.2, 'effects[0].ratio is 1.2, but its interval is 0.885 to 0.94'",
        "variants.0.opsPerSecond, 8000, 'variants[0].opsPerSecond is 8000.0'"
    })
    void figureOfAComparisonThatContradictsOthersIsRefused(String path, String value, String message)
            throws IOException {
        assertRefused(MoreSamples.comparison(), path, value, message);
    }

    /** Their hosts measured for different times, so that the sum of their rates is not the sum of their operations by the longest time. */
    @Test
    void mergedResultOfSeveralHostsIsAccepted() throws IOException {
        RunResult one = Samples.closed();
        RunResult longer = longer(one, 10.01);
        RunResult merged = ResultMerge.of(List.of(one, longer));
        Path file = Files.writeString(directory.resolve("merged.json"), Json.write(merged));

        assertThat(merged.run().measuredSeconds()).isEqualTo(10.01);
        assertThat(ResultFile.read(file)).isEqualTo(merged);
        assertRefused(merged, "operations.find_first.opsPerSecond", "9000", "the hosts together have");
        assertRefused(merged, "operations.find_first.opsPerSecond", "7000", "okInWindow in 10.01 s is");
    }

    /** A copy by another host, whose measurement was a little longer and whose rate is lower by that. */
    private static RunResult longer(RunResult run, double seconds) {
        var operation = run.operations().get("find_first");
        RunResult slower = run.with(run.load()
                .withOperations(
                        Map.of("find_first", Records.with(operation, "opsPerSecond", operation.okInWindow() / seconds)),
                        run.nodes()));
        return slower.with(run.header()
                .with(Records.with(
                        Records.with(run.run(), "id", "longer"),
                        "phases",
                        run.run().phases().stream()
                                .map(p -> p.name().equals("measure") ? new PhaseLength("measure", seconds) : p)
                                .toList())));
    }

    private void assertRefused(Result result, String path, String value, String message) throws IOException {
        Map<String, Object> json = Json.readMap(Json.write(result));
        put(
                json,
                List.of(path.split("\\.")),
                Json.readMap("{\"to\": " + value + "}").get("to"));
        Path file = Files.writeString(directory.resolve("edited.json"), Json.writeLine(json));

        assertThatThrownBy(() -> ResultFile.read(file))
                .isInstanceOf(ContradictionException.class)
                .hasMessageStartingWith(file + ": its figures contradict each other, so it was edited or is damaged: ")
                .hasMessageContaining(message);
    }

    @SuppressWarnings("unchecked")
    private static void put(Object into, List<String> path, Object value) {
        String name = path.get(0);
        List<String> rest = path.subList(1, path.size());
        if (into instanceof List<?> list) {
            put(list.get(Integer.parseInt(name)), rest, value);
        } else if (rest.isEmpty()) {
            assertThat(((Map<String, Object>) into).put(name, value)).isNotNull();
        } else {
            put(((Map<String, Object>) into).get(name), rest, value);
        }
    }
}
