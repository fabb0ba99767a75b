package io.pgstress.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.result.Comparison;
import io.pgstress.result.HostResult;
import io.pgstress.result.RateStep;
import io.pgstress.result.RunResult;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Three hosts share the arrivals of an open loop and begin together; comparisons and searches run on them as on one host. */
@Slow
final class FleetTimeTest extends OnThreeHosts {
    private static final int ATTEMPTS = 3;
    private static final DateTimeFormatter LOG_TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS");
    private static final Pattern STATEMENT =
            Pattern.compile("^(\\S+ \\S+) UTC \\[(\\d+)\\] LOG: +execute [^:]*: insert into marks");

    @BeforeAll
    static void makeTables() {
        TestServer.table(url, "docs", 1000);
    }

    @Test
    void arrivalsAreShared() throws IOException {
        RunResult run = run("docs", "-c 6 --rate 300,600 --step 0.5 --warmup 0.5 --ramp 0.3 --interval 0.25");

        long ended = run.total().ok() + run.total().unfinished();
        assertThat(ended).isEqualTo(450); // 150 and 300, as on one host
        if (run.total().unfinished() == 0) {
            assertThat(run.hosts().stream().map(host -> host.latencyMicros().count()))
                    .containsExactly(150L, 150L, 150L);
        }
        assertThat(run.load().open().rateSteps())
                .extracting(RateStep::targetRate)
                .containsExactly(300.0, 600.0);
        assertThat(run.intervals()).extracting(i -> i.rates().targetRate()).startsWith(300.0, 300.0, 600.0, 600.0);
    }

    /** A fixed warm-up has no limit, which the hosts would refuse. */
    @Test
    void everyBlockOfAComparisonRunsOnAllHosts() throws IOException {
        Comparison comparison = (Comparison) fleet.result(
                "compare --vary clients=3,6 -t docs -R 100 --warmup 20ms --warmup-executions 0 -T 200ms",
                "--rounds 2 --url " + url);

        assertThat(comparison.blocks()).hasSize(4).allMatch(block -> block.opsPerSecond() > 0 && block.errors() == 0);
        assertThat(comparison.effects().get(0).metric()).isEqualTo("mean"); // both variants have a target rate
    }

    /** Each client's statements are in the server's log; those before the measurement are known by their number. */
    @Test
    void hostsBeginTheMeasurementTogether() throws IOException {
        TestServer.execute(url, "create table marks (i bigint, pid int, pause text)");
        Path file = Files.writeString(directory.resolve("marks.yaml"), """
                mark:
                  parameters: {i: {sequence: 3000}}
                  steps: [{name: insert, sql: "insert into marks select :i, pg_backend_pid(), pg_sleep(0.002)::text"}]
                """);
        List<Long> skews = new ArrayList<>();
        do {
            TestServer.execute(url, "truncate marks");
            skews.add(startSkewMillis(file));
        } while (skews.get(skews.size() - 1) > 50 && skews.size() < ATTEMPTS); // a busy machine delays processes
        assertThat(skews.get(skews.size() - 1)).as(skews.toString()).isLessThan(50L);
    }

    private static Path log() throws IOException {
        try (Stream<Path> files = Files.walk(TestServer.DIRECTORY, 2)) {
            return files.filter(file -> file.endsWith("server.log")).findFirst().orElseThrow();
        }
    }

    private static long startSkewMillis(Path file) throws IOException {
        Path log = log();
        int before = Math.toIntExact(Files.size(log));
        RunResult run = run(
                "docs",
                "--op mark --operations " + file
                        + " -c 3 --warmup 0 --warmup-executions 20 -T 0.4 --set log_statement=all");
        String added = new String(Files.readAllBytes(log), StandardCharsets.ISO_8859_1).substring(before);
        Map<String, List<Instant>> times = new HashMap<>();
        added.lines()
                .map(STATEMENT::matcher)
                .filter(Matcher::find)
                .forEach(m -> times.computeIfAbsent(m.group(2), pid -> new ArrayList<>())
                        .add(LocalDateTime.parse(m.group(1), LOG_TIME).toInstant(ZoneOffset.UTC)));
        List<Instant> starts = new ArrayList<>();
        for (int host = 0; host < ThreeAgents.HOSTS; host++) {
            String pid = TestServer.text(url, "select distinct pid from marks where i % 3 = " + host);
            HostResult result = run.hosts().get(host);
            List<Instant> own = times.get(pid);
            int measured = Math.toIntExact(result.latencyMicros().count());
            assertThat(own).hasSizeGreaterThan(measured);
            starts.add(own.get(own.size() - measured));
        }
        Instant first = starts.stream().min(Instant::compareTo).orElseThrow();
        Instant last = starts.stream().max(Instant::compareTo).orElseThrow();
        return Duration.between(first, last).toMillis();
    }
}
