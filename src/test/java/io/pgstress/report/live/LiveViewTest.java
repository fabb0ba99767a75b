package io.pgstress.report.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.measure.Phase;
import io.pgstress.report.BulkSample;
import io.pgstress.report.HostsSample;
import io.pgstress.report.IntervalSamples;
import io.pgstress.report.format.Figures;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Latency;
import io.pgstress.result.Sum;
import io.pgstress.text.Json;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class LiveViewTest {
    private static final Terminal PIPE = new Terminal(false, 80, false);
    private static final Terminal WIDE = new Terminal(true, 200, true);
    private static final IntervalResult CLOSED =
            IntervalSamples.intervals(1, false).get(0);
    private static final IntervalResult OPEN =
            IntervalSamples.intervals(1, true).get(0);

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    @Test
    void autoIsLineOnATerminalAndPlainElsewhere() {
        assertThat(ProgressFormat.AUTO.on(WIDE)).isEqualTo(ProgressFormat.LINE);
        assertThat(ProgressFormat.AUTO.on(PIPE)).isEqualTo(ProgressFormat.PLAIN);
        assertThat(ProgressFormat.JSON.on(WIDE)).isEqualTo(ProgressFormat.JSON);
    }

    @Test
    void plainIsOneLinePerInterval() {
        assertThat(shown(ProgressFormat.PLAIN, PIPE, CLOSED))
                .isEqualTo("measuring for 10.0 s\nmeasure 1.0 s: 4,000 ops/s, p99 6.55 ms\n");
    }

    @Test
    void aPipeHasAtMostOneLineEveryFiveSeconds() {
        bytes.reset();
        try (LiveView view = ProgressFormat.AUTO.view(PIPE, out)) {
            view.phase(Phase.MEASURE, 12);
            IntervalSamples.intervals(12, false).forEach(view::interval);
        }

        assertThat(bytes.toString(StandardCharsets.UTF_8).lines().map(line -> line.replaceFirst(": .*", "")))
                .containsExactly("measuring for 12.0 s", "measure 5.0 s", "measure 10.0 s");
    }

    /** The last second alone would hide what happened in the four before it. */
    @Test
    void aLineOfAPipeIsAboutTheTimeSinceTheLastOne() {
        List<IntervalResult> intervals = IntervalSamples.intervals(6, true).subList(0, 5);
        bytes.reset();
        try (LiveView view = ProgressFormat.AUTO.view(PIPE, out)) {
            view.phase(Phase.MEASURE, 6);
            intervals.forEach(view::interval);
        }

        long ok = intervals.stream().mapToLong(i -> i.counts().ok()).sum();
        long failed = intervals.stream().mapToLong(i -> i.counts().failed()).sum();
        Latency times = Sum.latency(intervals.stream().map(i -> i.times().responseMicros()));
        assertThat(failed).isPositive();
        assertThat(ok / 5).isNotEqualTo(intervals.get(4).counts().ok());
        assertThat(bytes.toString(StandardCharsets.UTF_8))
                .contains("measure 5.0 s: " + Figures.rate(ok / 5.0) + " ops/s, p99 "
                        + Figures.threeDigits(Objects.requireNonNull(times).p99() / 1000) + " ms, " + failed
                        + " error");
    }

    @Test
    void openLoopShowsResponseTimesAndLineAlsoLagAndBacklog() {
        assertThat(shown(ProgressFormat.PLAIN, PIPE, OPEN)).endsWith(": 4,000 ops/s, p99 1.35 ms\n");
        assertThat(shown(ProgressFormat.LINE, WIDE, OPEN)).contains("p99 1.35 ms", "lag 0.015 ms", "backlog 0");
    }

    @Test
    void lineIsRedrawnAndCleared() {
        String shown = shown(ProgressFormat.LINE, WIDE, CLOSED);

        assertThat(shown).startsWith("\rmeasure [░░░░░░░░░░░░] 10 s left\u001b[K\rmeasure [█░░░░░░░░░░░] 9 s left 4,0");
        assertThat(shown)
                .contains(" 4,000 ops/s █ errors 0  mean 1.99 ms ")
                .endsWith("\r\u001b[K")
                .doesNotContain("\n");
    }

    @Test
    void lineOfSeveralRunsBeginsWithTheCurrentOne() {
        bytes.reset();
        try (LiveView view = ProgressFormat.LINE.view(WIDE, out)) {
            view.begins("plain");
            view.phase(Phase.WARMUP, 1);
            view.phase(Phase.MEASURE, 10);
            view.begins("prepared");
            view.phase(Phase.MEASURE, 10);
            view.interval(CLOSED);
        }

        assertThat(bytes.toString(StandardCharsets.UTF_8))
                .startsWith("\rplain: warmup ")
                .contains(
                        "\rplain: warmup > measure ",
                        "\rprepared: measure [",
                        " 10 s left\u001b[K\rprepared: measure [")
                .contains(" 9 s left 4,000 ops/s █ errors 0 ");
    }

    @Test
    void lineIsNeverWiderThanTheTerminal() {
        String shown = shown(ProgressFormat.LINE, new Terminal(true, 40, false), OPEN);

        assertThat(shown.split("\r"))
                .allMatch(line -> line.replace("\u001b[K", "").length() < 40);
        assertThat(shown).isASCII();
    }

    @Test
    void narrowLineOmitsWholeFields() {
        String shown = shown(ProgressFormat.LINE, new Terminal(true, 80, true), OPEN);
        String narrow = shown(ProgressFormat.LINE, new Terminal(true, 45, true), OPEN);

        assertThat(shown)
                .contains("4,000 ops/s", "errors 0", "p99 1.35 ms", "backlog 0")
                .doesNotContain("Mbit");
        assertThat(narrow).contains("4,000 ops/s  p99 1.35 ms").doesNotContain("err", "mean", "[#");
    }

    @Test
    void jsonIsOneObjectPerLine() {
        List<Map<String, Object>> lines = shown(ProgressFormat.JSON, PIPE, OPEN)
                .lines()
                .map(Json::readMap)
                .toList();

        assertThat(lines).extracting(l -> l.get("event")).containsExactly("phase", "interval");
        assertThat(lines.get(1))
                .containsEntry("elapsedSeconds", 1.0)
                .containsEntry("ok", 4000)
                .containsEntry("rowsPerSecond", 4000.0)
                .containsKeys("meanMicros", "p99Micros", "backlog", "errors");
    }

    @Test
    void jsonHasTheBytesOfRowsIfReported() {
        IntervalResult bulk = BulkSample.run().intervals().get(0);
        assertThat(Json.readMap(
                        shown(ProgressFormat.JSON, PIPE, bulk).lines().toList().get(1)))
                .containsEntry("rowsPerSecond", bulk.counts().ok() * 100.0)
                .containsEntry("megabytesPerSecond", bulk.counts().ok() * 36_000 / 1e6);
    }

    private static IntervalResult onHosts(IntervalResult interval, Map<String, Long> ok) {
        return interval.withPlaces(interval.places().withHostsOk(ok));
    }

    @Test
    void severalHostsAreShownWithTheirRates() {
        List<IntervalResult> intervals = HostsSample.unjudged().intervals();

        assertThat(shown(ProgressFormat.PLAIN, PIPE, intervals.get(0)))
                .contains("p99 6.55 ms, 3 hosts: 2,000 / 1,000 / 1,000 ops/s (stress-1 fast)\n");
        assertThat(shown(ProgressFormat.PLAIN, PIPE, intervals.get(9))).contains(", 2 hosts: 1,982 / 1,983 ops/s\n");
        assertThat(shown(ProgressFormat.LINE, WIDE, intervals.get(0))).contains("3 hosts: 2,000 / 1,000");
        Map<String, Long> many = new LinkedHashMap<>();
        for (int host = 1; host <= 12; host++) {
            many.put("h" + host, host == 7 ? 0L : 1_000L + host);
        }
        assertThat(shown(ProgressFormat.PLAIN, PIPE, onHosts(intervals.get(0), many)))
                .contains(", 12 hosts: 0.0 to 1,012 ops/s (h7 idle)\n");
        assertThat(shown(ProgressFormat.PLAIN, PIPE, onHosts(intervals.get(0), Map.of("only", 10L))))
                .contains(", 1 host: 10.0 ops/s\n");
        assertThat(shown(ProgressFormat.JSON, PIPE, intervals.get(0))).contains("\"stress-3\":1000");
        assertThat(shown(ProgressFormat.JSON, PIPE, CLOSED)).doesNotContain("hostsOk");
    }

    @Test
    void phasesAreInOrderAndHostsHaveTheirSparklines() {
        IntervalResult several = HostsSample.unjudged().intervals().get(0);
        bytes.reset();
        try (LiveView view = ProgressFormat.LINE.view(new Terminal(true, 300, true), out)) {
            view.phase(Phase.CONNECT, 0);
            view.phase(Phase.WARMUP, 3);
            view.phase(Phase.MEASURE, 10);
            view.interval(several);
        }

        assertThat(bytes.toString(StandardCharsets.UTF_8))
                .contains("\rconnect > warmup > measure [█", "9 s left")
                .contains("  a █ 2,000  b █ 2,000  stress-1 █ 2,000  stress-2 █ 1,000  stress-3 █ 1,000");
    }

    @Test
    void intervalWithoutSuccessHasNoTimes() {
        IntervalResult outage = IntervalSamples.intervals(6, true).get(4);

        assertThat(shown(ProgressFormat.PLAIN, PIPE, outage)).contains("0.0 ops/s, 3 errors, backlog 4,000");
        assertThat(shown(ProgressFormat.JSON, PIPE, outage)).contains("\"57P01\":3");
    }

    @Test
    void noneIsSilent() {
        assertThat(shown(ProgressFormat.NONE, WIDE, OPEN)).isEmpty();
    }

    @Test
    void sparklineOfNothingIsLow() {
        assertThat(Bar.sparkline(new double[] {0, 0}, true)).isEqualTo("▁▁");
        assertThat(Bar.sparkline(new double[] {0, 5, 10}, false)).isEqualTo("_-^");
        assertThat(Bar.progress(2, 4, false)).isEqualTo("[####]");
    }

    @Test
    void launcherOverridesTheTerminal() {
        Terminal told = Terminal.stderr(Map.of("PGSTRESS_TERMINAL", "true", "COLUMNS", "120", "LANG", "de_DE.UTF-8"));

        assertThat(told).isEqualTo(new Terminal(true, 120, true));
        assertThat(Terminal.stderr(Map.of("TERM", "dumb", "LC_ALL", "C", "LANG", "de_DE.UTF-8")))
                .isEqualTo(new Terminal(false, 80, false));
    }

    private String shown(ProgressFormat format, Terminal terminal, IntervalResult interval) {
        bytes.reset();
        try (LiveView view = format.view(terminal, out)) {
            view.phase(Phase.MEASURE, 10);
            view.interval(interval);
        }
        return bytes.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
    }
}
