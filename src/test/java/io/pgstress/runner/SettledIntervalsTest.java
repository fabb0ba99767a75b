package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.measure.NanoClock;
import io.pgstress.measure.Phase;
import io.pgstress.plan.RunSpec;
import io.pgstress.probe.Probes;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.RunResult;
import io.pgstress.runner.Coordination.OneMachine;
import io.pgstress.target.Target;
import io.pgstress.testing.Runs;
import io.pgstress.testing.RunsAlone;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Intervals reported during a run. */
@Slow
final class SettledIntervalsTest {
    private static String url;

    @TempDir
    private Path directory;

    @BeforeAll
    static void makeTable() {
        url = TestServer.freshDatabase("settled");
        TestServer.table(url, "docs", 10);
    }

    private static Runner runner(String options, RunListener listener) {
        return Runs.runner(Runs.spec("-t docs --url " + url, options), listener);
    }

    @Test
    @RunsAlone
    void longOperationsAreInTheIntervalInWhichTheyEndAndAllWhenTheNextOneEnds()
            throws IOException, InterruptedException {
        Path own = directory.resolve("own.yaml");
        Files.writeString(own, "nap: {steps: [{sql: select pg_sleep(0.1)}]}\n");
        Map<Double, Long> told = new TreeMap<>();
        Map<Double, Long> settled = new TreeMap<>();

        RunResult result = runner("-c 4 --warmup 0 --op nap -P 300ms -T 1500ms --operations " + own, new RunListener() {
                    @Override
                    public void interval(IntervalResult interval) {
                        told.put(interval.atSeconds(), interval.counts().ok());
                    }

                    @Override
                    public void settled(Phase phase, Supplier<IntervalResult> interval) {
                        settled.put(
                                interval.get().atSeconds(),
                                interval.get().counts().ok());
                    }
                })
                .run();

        Map<Double, Long> atTheEnd = result.intervals().stream()
                .filter(i -> i.in(Phase.MEASURE))
                .collect(Collectors.toMap(
                        IntervalResult::atSeconds, i -> i.counts().ok()));
        assertThat(settled).isNotEmpty(); // a stalled machine skips some
        assertThat(atTheEnd).containsAllEntriesOf(settled);
        atTheEnd.keySet().retainAll(told.keySet());
        long inTheEnd = atTheEnd.values().stream().mapToLong(Long::longValue).sum();
        assertThat(inTheEnd).isPositive();
        assertThat(told.values().stream().mapToLong(Long::longValue).sum()).isGreaterThan(Math.round(0.9 * inTheEnd));
    }

    /** The listener waits for the end of the measurement, which comes although the listener has not returned. */
    @Test
    void slowListenerDelaysNothing() throws InterruptedException {
        CountDownLatch isOver = new CountDownLatch(1);
        Probe end = new Probe() {
            @Override
            public void measureEnds() {
                isOver.countDown();
            }

            @Override
            public void contribute(Findings findings) {}
        };
        List<Boolean> waited = new CopyOnWriteArrayList<>();
        RunSpec spec = Runs.spec("-t docs -c 1 --warmup 200ms -T 500ms --url " + url);
        Target target = Target.open(spec);
        Coordination coordination = new OneMachine(
                NanoClock.SYSTEM,
                (run, threads) -> Stream.concat(Probes.of(run, threads).stream(), Stream.of(end))
                        .toList());

        new Runner(spec, target, Runs.table(spec, target), coordination, new RunListener() {
                    @Override
                    public void interval(IntervalResult interval) {
                        waited.add(await(isOver, 30));
                    }
                })
                .run();

        assertThat(waited).isNotEmpty().containsOnly(true);
    }

    private static boolean await(CountDownLatch latch, long seconds) {
        try {
            return latch.await(seconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void reportsAFailedListener() {
        Runner runner = runner("-c 1 --warmup 0 -T 200ms", new RunListener() {
            @Override
            public void interval(IntervalResult interval) {
                throw new IllegalArgumentException("no paper left");
            }
        });

        assertThatThrownBy(runner::run).hasRootCauseMessage("no paper left");
    }
}
