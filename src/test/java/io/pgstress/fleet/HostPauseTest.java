package io.pgstress.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.fleet.HostRun.HostPause;
import io.pgstress.runner.RunTiming.Window;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A host's pause ends when the command says so, or with the load. */
final class HostPauseTest {
    private static final long OFFSET = 1000;

    private final HostPause pause = new HostPause(() -> 0, command -> command - OFFSET);
    private final AtomicInteger resets = new AtomicInteger();

    private Window await(long from) {
        return pause.await(from, resets::incrementAndGet);
    }

    @Test
    void excludesTheSameTimeAsAllOthers() {
        pause.resume(new Message.Resume(1200, 1500));
        assertThat(await(100)).isEqualTo(new Window(200, 500));
        pause.resume(new Message.Resume(2200, 2300));
        assertThat(await(1150)).isEqualTo(new Window(1200, 1300));
        assertThat(resets).hasValue(2);
    }

    @Test
    void excludesNothingIfTheMeasurementIsOver() {
        pause.resume(new Message.Resume(0, 0));
        assertThat(await(100)).isEqualTo(new Window(100, 100));
        assertThat(resets).hasValue(0);
    }

    @Test
    void endsWithTheLoad() {
        pause.stop();
        assertThat(await(100)).isEqualTo(new Window(100, 100));
        assertThat(await(200)).isEqualTo(new Window(200, 200)); // also one that begins later
        assertThat(resets).hasValue(0);
    }

    @Test
    void interruptionIsAFailure() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> await(100)).hasMessage("interrupted while the ids were reset");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(resets).hasValue(0);
    }
}
