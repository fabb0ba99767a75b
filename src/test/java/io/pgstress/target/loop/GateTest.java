package io.pgstress.target.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pgstress.testing.EveryJdk;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@EveryJdk
@Timeout(30)
final class GateTest {
    private static final int THREADS = 20;

    private final Gate gate = new Gate();

    @Test
    @SuppressWarnings("ThreadPriorityCheck") // on a loop a yield is a turn of the others
    void threadsOfALoopGoOnInTheNextTurn() {
        assumeTrue(EventLoops.areAvailable(), "event loops: they need JDK 24 or 25");
        AtomicInteger passed = new AtomicInteger();
        CompletableFuture<Integer> afterTwoTurns = new CompletableFuture<>();
        try (EventLoops loop = new EventLoops(1, afterTwoTurns::completeExceptionally)) {
            for (int i = 0; i < THREADS; i++) {
                loop.newThread(() -> {
                            await();
                            passed.incrementAndGet();
                        })
                        .start();
            }
            loop.newThread(
                            () -> { // the others wait when it runs
                                gate.open();
                                Thread.yield();
                                Thread.yield();
                                afterTwoTurns.complete(passed.get());
                            })
                    .start();
            assertThat(afterTwoTurns.join()).isEqualTo(THREADS);
        }
    }

    private void await() {
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void openGateIsPassedByThreadsThatComeLater() throws InterruptedException {
        assertThat(gate.isOpen()).isFalse();
        gate.open();
        gate.await();

        assertThat(gate.isOpen()).isTrue();
    }

    @Test
    void interruptEndsTheWait() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(gate::await).isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }
}
