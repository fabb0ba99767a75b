package io.pgstress.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.fleet.TestHosts.Sent;
import io.pgstress.measure.IntervalGrid;
import io.pgstress.measure.OperationShape;
import io.pgstress.measure.Timeline;
import io.pgstress.runner.RunTiming.Window;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When ids are used up, all hosts stop, the tables are reset once, and all resume together, whatever happens meanwhile. */
final class FleetPausesTest {
    private final TestHosts fleet = new TestHosts(3);
    private final FleetPauses pauses = new FleetPauses(fleet.hosts(), fleet, fleet::sleepUntil);
    private final AtomicInteger resets = new AtomicInteger();
    private final List<String> failures = Collections.synchronizedList(new ArrayList<>());
    private final List<Window> windows = Collections.synchronizedList(new ArrayList<>());
    private final Timeline timeline =
            new Timeline(IntervalGrid.of(TestHosts.SECOND), List.of(new OperationShape("op", List.of("s"))), 1);
    private volatile Runnable reset = resets::incrementAndGet;
    private volatile Runnable afterwards = () -> {};

    FleetPausesTest() {
        timeline.start(fleet.nanoTime());
        timeline.measure(fleet.nanoTime(), fleet.nanoTime() + TestHosts.SECOND / 4);
        pauses.begin(this::pause, timeline, e -> failures.add(e.getMessage()));
    }

    /** As the command's run pauses. */
    private void pause() {
        long start = fleet.nanoTime();
        if (start < timeline.measureEnd()) {
            timeline.pause(start);
            Window window = pauses.pause(start, reset);
            afterwards.run();
            timeline.shift(window.end() - window.start());
            windows.add(window);
        }
    }

    @AfterEach
    void close() {
        pauses.close();
    }

    private List<Message> resumes(int expected) {
        TestHosts.await(() -> fleet.sent(Message.Resume.class).size() >= expected);
        return fleet.sent(Message.Resume.class).stream().map(Sent::message).toList();
    }

    private void lose(int host) {
        assertThat(fleet.host(host).lost("silent", 0)).isTrue();
        pauses.resetIfAllPaused();
    }

    @Test
    void allHostsStopAndResumeTogetherAfterOneReset() {
        pauses.paused(fleet.host(1));
        assertThat(pauses.isPausing()).isTrue();
        assertThat(fleet.sent(Message.Pause.class)).extracting(Sent::host).containsExactly("h0", "h1", "h2");
        pauses.paused(fleet.host(0));
        assertThat(resets).hasValue(0);
        pauses.paused(fleet.host(2));

        assertThat(resumes(3)).containsOnly(new Message.Resume(1000 * TestHosts.SECOND, 1000_500_000_000L));
        assertThat(resets).hasValue(1);
        assertThat(fleet.sent(Message.Pause.class)).hasSize(3);
        assertThat(pauses.isPausing()).isFalse();
        assertThat(fleet.hosts().all()).noneMatch(RemoteHost::isPaused);
        TestHosts.await(() -> windows.size() == 1);
        assertThat(windows).containsExactly(new Window(1000 * TestHosts.SECOND, 1000_500_000_000L));
    }

    @Test
    void nextPauseIsAnother() {
        for (int pause = 1; pause <= 2; pause++) {
            fleet.hosts().all().forEach(pauses::paused);
            resumes(3 * pause);
            int expected = pause;
            TestHosts.await(() -> windows.size() == expected);
        }
        assertThat(resets).hasValue(2);
        assertThat(fleet.sent(Message.Pause.class))
                .extracting(Sent::message)
                .containsExactly(
                        new Message.Pause(1),
                        new Message.Pause(1),
                        new Message.Pause(1),
                        new Message.Pause(2),
                        new Message.Pause(2),
                        new Message.Pause(2));
    }

    /** The measurement ends later by the pause, but this is not known yet: it only seems to be over. */
    @Test
    void hostThatStopsAgainBeforeThePauseIsExcludedWaitsForTheOthers() {
        List<Long> paused = Collections.synchronizedList(new ArrayList<>());
        reset = () -> paused.add(
                fleet.hosts().all().stream().filter(RemoteHost::isPaused).count());
        afterwards = () -> {
            afterwards = () -> {};
            pauses.paused(fleet.host(0));
        };
        fleet.hosts().all().forEach(pauses::paused);
        TestHosts.await(() -> windows.size() == 1);
        pauses.paused(fleet.host(1));
        pauses.paused(fleet.host(2));
        TestHosts.await(() -> windows.size() == 2);
        assertThat(paused).containsExactly(3L, 3L);
    }

    /** It may have been cut off from the command only, and would write to the tables after their reset. */
    @Test
    void hostThatIsLostMeanwhileHasEndedItsLoadBeforeTheReset() {
        fleet.hosts().lease(fleet.host(2), fleet.nanoTime() - 4 * TestHosts.SECOND);
        pauses.paused(fleet.host(0));
        pauses.paused(fleet.host(1));
        lose(2);

        assertThat(resumes(2)).containsOnly(new Message.Resume(1000 * TestHosts.SECOND, 1005_000_000_000L));
        assertThat(fleet.sent(Message.Resume.class)).extracting(Sent::host).containsExactly("h0", "h1");
        assertThat(resets).hasValue(1);
    }

    @Test
    void hostThatRefusedToContinueHasEndedItsLoad() {
        fleet.hosts().lease(fleet.host(2), fleet.nanoTime());
        fleet.host(2).refused();
        pauses.paused(fleet.host(0));
        pauses.paused(fleet.host(1));
        lose(2);
        assertThat(resumes(2)).containsOnly(new Message.Resume(1000 * TestHosts.SECOND, 1000_500_000_000L));
    }

    @Test
    void nothingIsResetAfterTheMeasurement() {
        pauses.paused(fleet.host(0));
        timeline.endMeasure(fleet.nanoTime());
        pauses.resetIfAllPaused(); // another host has ended
        assertThat(resumes(3)).containsOnly(new Message.Resume(0, 0));
        assertThat(resets).hasValue(0);
        assertThat(failures).isEmpty();
    }

    @Test
    void failedResetIsReportedAndAllHostsGoOn() {
        reset = () -> {
            throw new IllegalStateException("no table");
        };
        fleet.hosts().all().forEach(pauses::paused);
        assertThat(resumes(3)).containsOnly(new Message.Resume(0, 0));
        assertThat(failures).containsExactly("no table");
    }

    @Test
    void endOfTheRunWaitsForTheReset() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        reset = () -> {
            begun.countDown();
            awaitInterruptedOrNot(mayEnd);
            resets.incrementAndGet();
        };
        fleet.hosts().all().forEach(pauses::paused);
        TestHosts.await(() -> begun.getCount() == 0);

        assertThat(pauses.end(1)).isFalse();
        mayEnd.countDown();
        assertThat(pauses.end(10_000)).isTrue();
        assertThat(resets).hasValue(1);
        pauses.paused(fleet.host(0)); // too late
        assertThat(failures).isEmpty();
    }

    @Test
    void noResetBeginsAfterTheEnd() {
        CountDownLatch waits = new CountDownLatch(1);
        CountDownLatch isEnded = new CountDownLatch(1);
        FleetPauses slow = new FleetPauses(fleet.hosts(), fleet, time -> {
            waits.countDown();
            awaitInterruptedOrNot(isEnded);
        });
        slow.begin(
                () -> slow.pause(fleet.nanoTime(), resets::incrementAndGet),
                timeline,
                e -> failures.add(e.getMessage()));
        fleet.hosts().lease(fleet.host(0), fleet.nanoTime());
        assertThat(fleet.host(0).lost("silent", 0)).isTrue();
        slow.paused(fleet.host(1));
        slow.paused(fleet.host(2));
        TestHosts.await(() -> waits.getCount() == 0); // for the lost host to end its load

        assertThat(slow.end(1)).isFalse();
        isEnded.countDown();
        assertThat(slow.end(10_000)).isTrue();
        assertThat(resets).hasValue(0);
        assertThat(failures).isEmpty();
    }

    private static void awaitInterruptedOrNot(CountDownLatch latch) {
        TestHosts.await(() -> latch.getCount() == 0);
    }
}
