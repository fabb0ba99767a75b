package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pgstress.measure.IntervalGrid;
import io.pgstress.measure.OperationShape;
import io.pgstress.measure.Phase;
import io.pgstress.measure.Timeline;
import io.pgstress.target.loop.EventLoops;
import io.pgstress.testing.EveryJdk;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** The timeline during a pause, and when a run is stopped. */
@EveryJdk
final class PauseTest {
    private static final long SECOND = 1_000_000_000L;

    private final AtomicLong clock = new AtomicLong();
    private final Timeline timeline =
            new Timeline(IntervalGrid.of(SECOND), List.of(new OperationShape("op", List.of("s"))), 1);

    @Test
    void interruptedDrainIsNoEarlyEnd() {
        timeline.start(0);
        timeline.measure(0, 10 * SECOND);
        Stop stop =
                new Stop(timeline, clock::get, new Coordination.OneMachine(clock::get, (run, threads) -> List.of()));
        clock.set(10 * SECOND);
        stop.now(Stop.StopCause.INTERRUPTED);

        assertThat(stop.reason()).isNull();
        assertThat(stop.isInterrupted()).isTrue();
        stop.now(Stop.StopCause.FIRST_ERROR);
        assertThat(stop.reason()).as("what the drain found").isNotNull();
    }

    private Pause pause(Runnable reset) {
        return pause(reset, 1);
    }

    private Pause pause(Runnable reset, int clients) {
        timeline.start(0);
        timeline.measure(0, 10 * SECOND);
        return new Pause(timeline, clock::get, clients, start -> {
            reset.run();
            return new RunTiming.Window(start, clock.get());
        });
    }

    @Test
    void excludesAPauseFromTheTimeline() throws InterruptedException {
        boolean[] wasRunning = new boolean[1];
        Pause[] self = new Pause[1];
        self[0] = pause(() -> {
            wasRunning[0] = self[0].isRunning();
            clock.addAndGet(15 * SECOND);
            assertThat(self[0].isLongerThan(14 * SECOND)).isTrue();
            assertThat(self[0].isLongerThan(15 * SECOND)).isFalse();
        });
        clock.set(5 * SECOND);
        self[0].request();
        self[0].await();

        assertThat(wasRunning[0]).isTrue();
        assertThat(self[0].isRunning()).isFalse();
        assertThat(self[0].isLongerThan(0)).isFalse();
        assertThat(self[0].count()).isEqualTo(1);
        assertThat(self[0].seconds()).isEqualTo(15);
        assertThat(self[0].measuredAt()).containsExactly(5.0);
        assertThat(self[0].measuredSeconds()).isEqualTo(15);
        assertThat(timeline.measureEnd()).isEqualTo(25 * SECOND);
        assertThat(timeline.at(clock.get()).phase()).isEqualTo(Phase.MEASURE);
    }

    @Test
    void pauseOfTheWarmupIsNotPartOfTheMeasurement() throws InterruptedException {
        Pause pause = pause(() -> clock.addAndGet(2 * SECOND));
        timeline.measure(6 * SECOND, 10 * SECOND);
        clock.set(5 * SECOND);
        pause.request();
        pause.await();

        assertThat(pause.seconds()).isEqualTo(2);
        assertThat(pause.measuredSeconds()).isZero();
    }

    @Test
    void stopDuringAPauseEndsTheMeasurement() throws InterruptedException {
        Pause pause = pause(() -> {
            clock.addAndGet(2 * SECOND);
            timeline.endMeasure(clock.get());
            clock.addAndGet(2 * SECOND);
        });
        clock.set(5 * SECOND);
        pause.request();
        pause.await();

        assertThat(timeline.measureEnd()).isEqualTo(clock.get());
        assertThat(timeline.measureEnd() - timeline.measureStart()).isEqualTo(5 * SECOND);
    }

    @Test
    void doesNotResetAfterTheMeasurement() throws InterruptedException {
        Pause pause = pause(() -> {
            throw new IllegalStateException("not wanted");
        });
        clock.set(10 * SECOND);
        pause.request();
        pause.await();

        assertThat(pause.count()).isZero();
        assertThat(pause.isRequested()).isFalse();
    }

    @Test
    @SuppressWarnings("ThreadPriorityCheck") // on a loop a yield is a turn of the others
    void clientsOfALoopGoOnInTheTurnAfterThePause() {
        assumeTrue(EventLoops.areAvailable(), "event loops: they need JDK 24 or 25");
        int others = 20;
        Pause pause = pause(() -> {}, others + 1);
        pause.request();
        AtomicInteger passed = new AtomicInteger();
        CompletableFuture<Integer> afterTwoTurns = new CompletableFuture<>();
        try (EventLoops loop = new EventLoops(1, afterTwoTurns::completeExceptionally)) {
            for (int i = 0; i < others; i++) {
                loop.newThread(() -> {
                            await(pause);
                            passed.incrementAndGet();
                        })
                        .start();
            }
            loop.newThread(
                            () -> { // the others wait when it runs
                                await(pause);
                                Thread.yield();
                                Thread.yield();
                                afterTwoTurns.complete(passed.get());
                            })
                    .start();
            assertThat(afterTwoTurns.orTimeout(30, TimeUnit.SECONDS).join()).isEqualTo(others);
        }
    }

    private static void await(Pause pause) {
        try {
            pause.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The others already wait when the last one ends. */
    @Test
    void clientThatEndsLetsTheOthersGoOn() throws InterruptedException {
        Pause pause = pause(() -> {}, 2);
        pause.request();
        Thread other = new Thread(() -> await(pause));
        other.start();
        while (other.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        pause.leave();
        other.join(TimeUnit.SECONDS.toMillis(30));

        assertThat(other.isAlive()).isFalse();
        assertThat(pause.count()).isOne();
    }

    /** All hosts resume at once, and the first that needs the next pause may be faster than the last that leaves this one. */
    @Test
    void nextPauseOfAllHostsMayBeRequestedBeforeThisOneIsOver() throws InterruptedException {
        Pause[] self = new Pause[1];
        AtomicInteger resets = new AtomicInteger();
        self[0] = pause(() -> self[0].request(resets.incrementAndGet() == 1 ? 2 : 1));
        self[0].request(1);
        self[0].request(); // the ids of this host are used up, too
        self[0].await();
        assertThat(self[0].isRequested()).isTrue();

        self[0].await();
        assertThat(self[0].count()).isEqualTo(2);
        assertThat(self[0].isRequested())
                .as("the first one was requested again, too late")
                .isFalse();
    }

    /** A client that has arrived, in a thread that ends by an interrupt. */
    private static Thread arrived(Pause pause) {
        Thread client = new Thread(() -> {
            try {
                pause.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        client.start();
        while (client.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        return client;
    }

    /** It has not left yet, and may be in the tables. */
    @Test
    void clientThatIsInterruptedWhileItWaitsIsNoLongerThere() throws InterruptedException {
        Pause pause = pause(() -> {}, 2);
        pause.request();
        Thread interrupted = arrived(pause);
        interrupted.interrupt();
        interrupted.join();

        Thread other = arrived(pause);
        assertThat(pause.count()).isZero();
        pause.leave();
        other.join();
        assertThat(pause.count()).isOne();
    }

    /** It takes back its arrival at a pause that is over by then: the next one has begun to count anew. */
    @Test
    void clientThatIsInterruptedAtTheEndOfAPauseIsNotMissedByTheNext() throws InterruptedException {
        Thread[] first = new Thread[1];
        boolean[] isSecond = new boolean[1];
        Pause pause = pause(
                () -> {
                    if (!isSecond[0]) {
                        first[0].interrupt();
                        while (!String.valueOf(LockSupport.getBlocker(first[0])).contains("ReentrantLock")) {
                            Thread.onSpinWait(); // until it waits to take its arrival back
                        }
                    }
                },
                2);
        pause.request();
        first[0] = arrived(pause);
        pause.await();
        first[0].join();
        assertThat(pause.count()).isOne();

        isSecond[0] = true;
        pause.request();
        Thread second = arrived(pause);
        pause.await();
        second.join();
        assertThat(pause.count()).isEqualTo(2);
    }

    @Test
    void interruptedClientIsNotWaitedFor() throws InterruptedException {
        Pause pause = pause(() -> {}, 2);
        pause.request();
        Thread.currentThread().interrupt();
        assertThatThrownBy(pause::await).isInstanceOf(InterruptedException.class);
        assertThat(pause.count()).isZero();
        pause.leave();
        pause.await();

        assertThat(pause.count()).isOne();
    }
}
