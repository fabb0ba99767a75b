package io.pgstress.probe.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pgstress.result.ServerProfile.HostSample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The counters of a machine, and restarted counters. */
final class HostCountersTest {
    private static String proc(long user, long idle, long ethIn, long loIn, long sectors) {
        return """
                2.25 1.10 0.50 3/213 16892
                cpu  %d 0 100 %d 50 0 10 0 0 0
                cpu0 1 2 3 4 5 6 7 8 9 10
                Inter-|   Receive                                                |  Transmit
                    lo: %d 10 0 0 0 0 0 0 700 10 0 0 0 0 0 0
                  eth0:%d 10 0 0 0 0 0 0 5000 10 0 0 0 0 0 0
                   8       0 sda 100 0 200 30 40 0 %d 60 0 70 80
                   8       1 sda1 100 0 200 30 40 0 999999 60 0 70 80
                """.formatted(user, idle, loIn, ethIn, sectors);
    }

    @Test
    void differenceIsTheActivityOfTheMachine() {
        HostCounters before = HostCounters.parse(proc(1000, 1000, 1_000_000, 0, 1000), false, 0, 1);
        HostCounters after = HostCounters.parse(proc(1300, 1100, 3_500_000, 9_000_000, 5000), false, 2_000_000_000L, 3);

        HostSample sample = Objects.requireNonNull(after.since(before, 0.25));

        assertThat(sample.atSeconds()).isEqualTo(0.75);
        assertThat(sample.seconds()).isEqualTo(2);
        assertThat(sample.cpuBusy()).isCloseTo(0.75, within(1e-9));
        assertThat(sample.loadAverage()).isEqualTo(2.25);
        assertThat(sample.inMbitPerSecond()).isCloseTo(10, within(1e-9));
        assertThat(sample.diskWriteMbPerSecond()).isCloseTo(1.024, within(1e-9));
    }

    @Test
    void loopbackCountsIfTheClusterUsesIt() {
        HostCounters before = HostCounters.parse(proc(1000, 1000, 0, 0, 0), true, 0, 0);
        HostCounters after = HostCounters.parse(proc(1300, 1100, 0, 1_000_000, 0), true, 1_000_000_000L, 1);

        assertThat(Objects.requireNonNull(after.since(before, 0)).inMbitPerSecond())
                .isCloseTo(8, within(1e-9));
    }

    @Test
    void restartedMachineHasNoFigures() {
        HostCounters before = HostCounters.parse(proc(1000, 1000, 1_000_000, 0, 0), false, 0, 1);
        HostCounters after = HostCounters.parse(proc(10, 10, 100, 0, 0), false, 1_000_000_000L, 1);

        assertThat(after.since(before, 0)).isNull();
    }

    @Test
    void reportsRestartedCountersInsteadOfNegativeOnes() {
        Map<String, Double> sums = new LinkedHashMap<>();
        List<String> notes = new ArrayList<>();

        Deltas.add(sums, Map.of("a", 100.0), Map.of("a", 30.0), "counters of x", notes::add);
        Deltas.add(sums, Map.of("a", 100.0), Map.of("a", 110.0), "counters of y", notes::add);

        assertThat(sums).containsEntry("a", 40.0);
        assertThat(notes).singleElement().asString().contains("counters of x", "restart");
    }

    @Test
    void omitsCountersNotReadBefore() {
        Map<String, Double> sums = new LinkedHashMap<>();
        List<String> notes = new ArrayList<>();

        Deltas.add(sums, Map.of(), Map.of("a", 1e9), "counters of x", notes::add);

        assertThat(sums).isEmpty();
        assertThat(notes).containsExactly("counters of x were not readable before the run: left out");
    }
}
