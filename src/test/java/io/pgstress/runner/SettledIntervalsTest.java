package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.result.IntervalResult;
import io.pgstress.result.RunResult;
import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is told of intervals while a run goes on. */
final class SettledIntervalsTest {
    @TempDir
    private Path directory;

    @Test
    void anIntervalIsWholeWhenTheNextOneIsOver() throws IOException, InterruptedException {
        String url = TestServer.freshDatabase("settled");
        TestServer.table(url, "docs", 10);
        Path own = directory.resolve("own.yaml");
        Files.writeString(own, "nap: {steps: [{sql: select pg_sleep(0.1)}]}\n");
        Map<Double, Long> settled = new TreeMap<>();

        RunResult result = Runs.runner(
                        Runs.spec(
                                "url",
                                url,
                                "table",
                                "docs",
                                "operations",
                                own.toString(),
                                "op",
                                "nap",
                                "warmup",
                                "0",
                                "threads",
                                "1",
                                "interval",
                                "300ms",
                                "duration",
                                "1500ms"),
                        new RunListener() {
                            @Override
                            public void settled(String phase, Supplier<IntervalResult> interval) {
                                settled.put(
                                        interval.get().atSeconds(),
                                        interval.get().ok());
                            }
                        })
                .run();

        Map<Double, Long> atTheEnd = result.intervals().stream()
                .filter(i -> i.phase().equals("measure"))
                .collect(Collectors.toMap(IntervalResult::atSeconds, IntervalResult::ok));
        assertThat(settled).isNotEmpty(); // a machine that stalls skips some
        assertThat(atTheEnd).containsAllEntriesOf(settled);
    }
}
