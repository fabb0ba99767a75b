package io.pgstress.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.report.HostsSample;
import io.pgstress.result.Latency;
import io.pgstress.result.RunResult;
import io.pgstress.result.Scaling;
import io.pgstress.result.Scaling.HostCount;
import io.pgstress.result.Scaling.HostGain;
import io.pgstress.result.Scaling.HostStep;
import io.pgstress.result.Scaling.Step;
import io.pgstress.target.driver.TargetException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.ToDoubleBiFunction;
import org.junit.jupiter.api.Test;

/** Simulated hosts: each can send so much, the servers take so much. */
final class HostClimbTest {
    private static final RunResult RESULT = HostsSample.unjudged();
    private static final Latency LATENCY = new Latency(100, 500, 400, 500, 600, 900, 1000, 2000, null, null, null);

    private final List<String> measured = new ArrayList<>();
    private final Random random = new Random(5);
    private double seconds;

    private Measurement step(int hosts, int clients, double ops) {
        measured.add(hosts + "x" + clients);
        seconds += 10;
        double noisy = ops * (1 + 0.005 * random.nextGaussian());
        return new Measurement(new Step(clients, 10, noisy, null, null, LATENCY, 0), RESULT);
    }

    private Scaling search(int hosts, Duration rounds, ToDoubleBiFunction<Integer, Integer> throughput) {
        Climber.Climbed onAll = new Climber(
                        clients -> step(hosts, clients, throughput.applyAsDouble(hosts, clients)),
                        hosts,
                        256,
                        0,
                        Duration.ZERO,
                        () -> (long) (seconds * 1e9))
                .climb();
        measured.clear();
        HostScaling found = new HostClimb(
                        (n, clients) -> step(n, clients, throughput.applyAsDouble(n, clients)),
                        hosts,
                        256,
                        rounds,
                        () -> (long) (seconds * 1e9))
                .climb(onAll);
        return ClimbEvaluation.of(onAll, found, 0, List.of());
    }

    private Scaling search(int hosts, double ofHost, double ofServers) {
        return search(
                hosts,
                Duration.ofHours(1),
                (n, clients) -> Math.min(100 * clients, Math.min(n * ofHost, ofServers) - clients));
    }

    @Test
    void oneHostIsTheLimitIfTheSecondRaisesTheTotal() {
        Scaling found = search(2, 2000, 100_000);

        assertThat(found.hostSearch().gains()).singleElement().satisfies(gain -> {
            assertThat(gain.raises()).isTrue();
            assertThat(gain.rounds()).isEqualTo(5);
            assertThat(gain.ratio()).isBetween(1.9, 2.1);
            assertThat(gain.low()).isLessThan(gain.ratio());
        });
        assertThat(found.verdict().get(0))
                .startsWith("A second host raises the total by ")
                .contains("5 rounds): one host was the limit (the CPUs of stress-")
                .doesNotContain("+");
        assertThat(found.verdict().get(1))
                .startsWith("Best total: ")
                .contains(" from 2 hosts with "
                        + found.hostSearch().counts().get(1).bestClients() + " clients.");
    }

    @Test
    void theServersAreFullIfMoreHostsDoNotRaiseTheTotal() {
        Scaling found = search(4, 30_000, 5000);

        assertThat(found.hostSearch().gains()).extracting(HostGain::fromHosts).containsExactly(1, 2);
        assertThat(found.hostSearch().gains()).extracting(HostGain::raises).containsExactly(false, false);
        assertThat(found.verdict().get(0))
                .startsWith("A second host does not raise the total: ")
                .contains(". The servers are ");
        assertThat(found.verdict().get(1)).startsWith("4 hosts instead of 2 do not raise the total: ");
    }

    @Test
    void hostsAreDoubledAndMeasuredAroundTheBestNumberOfClients() {
        Scaling found = search(5, 1000, 2000);

        assertThat(found.hostSearch().counts()).extracting(HostCount::hosts).containsExactly(1, 2, 4, 5);
        assertThat(found.hostSearch().gains()).extracting(HostGain::raises).containsExactly(true, false, false);
        int best = found.hostSearch().counts().get(3).bestClients();
        assertThat(measured).startsWith("1x" + best / 2, "1x" + best, "1x" + best * 2);
        assertThat(measured.size()).isLessThanOrEqualTo(HostClimb.maxSteps(5));
        assertThat(found.hostSearch().steps().stream().filter(s -> s.hosts() == 5))
                .extracting(HostStep::clients)
                .isSorted()
                .hasSize(found.steps().size());
        assertThat(found.hostSearch().seconds()).isEqualTo(10.0 * measured.size());
    }

    @Test
    void neverHasFewerClientsThanHosts() {
        search(4, Duration.ZERO, (n, clients) -> 1000 - clients);
        assertThat(measured).contains("1x2", "1x4", "1x8", "2x2").doesNotContain("2x1");
    }

    @Test
    void withoutRoundsTheQuestionIsOpen() {
        Scaling found = search(2, Duration.ZERO, (n, clients) -> 1000.0 * n);
        assertThat(found.hostSearch().gains()).isEmpty();
        assertThat(found.verdict().get(0)).contains("is not known", "--repeat-limit");
    }

    @Test
    void wideIntervalsDecideNothing() {
        Scaling found = search(
                2, Duration.ofSeconds(70), (n, clients) -> n == 1 ? 1000 : 1000 * (1 + 0.3 * random.nextGaussian()));
        assertThat(found.hostSearch().gains())
                .singleElement()
                .satisfies(gain -> assertThat(gain.raises()).isNull());
        assertThat(found.verdict().get(0))
                .startsWith("Whether a second host raises the total is not decided: ")
                .endsWith("; --repeat-limit did not permit 5 rounds.");
    }

    @Test
    void aStepThatFailsKeepsTheOthers() {
        List<Integer> left = new ArrayList<>(List.of(1, 2, 3));
        Climber.Climbed onAll = new Climber(
                        clients -> step(2, clients, Math.min(8, clients) * 100.0), 2, 16, 0, Duration.ZERO, () -> 0)
                .climb();
        HostScaling found = new HostClimb(
                        (n, clients) -> {
                            left.remove(0);
                            if (left.isEmpty()) {
                                throw new TargetException("host h1: left");
                            }
                            return step(n, clients, 100);
                        },
                        2,
                        16,
                        Duration.ofMinutes(1),
                        () -> 0)
                .climb(onAll);

        Scaling scaling = ClimbEvaluation.of(onAll, found, 0, List.of());
        assertThat(found.failure()).hasMessage("host h1: left");
        assertThat(scaling.run().partial()).isTrue();
        assertThat(scaling.verdict()).contains("The search for the number of hosts failed.");
        assertThat(scaling.hostSearch().steps().stream().filter(s -> s.hosts() == 1))
                .hasSize(2);
    }
}
