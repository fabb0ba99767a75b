package io.pgstress.target.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads of loops that wait for each other, and the end of loops. */
@Timeout(30)
final class LoopThreadsTest {
    private final Queue<Throwable> broken = new ConcurrentLinkedQueue<>();
    private EventLoops loops;

    @BeforeEach
    void open() {
        assumeTrue(EventLoops.areAvailable(), "event loops: they need JDK 24 or 25");
        loops = new EventLoops(2, broken::add);
    }

    @AfterEach
    void close() {
        assertThat(broken).isEmpty();
        if (loops != null) {
            loops.close();
        }
    }

    @Test
    void threadsThatWaitForEachOtherContinue() throws Exception {
        BlockingQueue<Integer> forth = new LinkedBlockingQueue<>();
        BlockingQueue<Integer> back = new LinkedBlockingQueue<>();
        CompletableFuture<Integer> sum = onLoop(() -> {
            int found = 0;
            for (int i = 0; i < 1000; i++) {
                forth.put(i);
                found += back.take();
            }
            return found;
        });
        CompletableFuture<Integer> other = onLoop(() -> {
            for (int i = 0; i < 1000; i++) {
                back.put(forth.take());
            }
            return 1000;
        });
        assertThat(other.get()).isEqualTo(1000);
        assertThat(sum.get()).isEqualTo(999 * 1000 / 2);
    }

    @Test
    void closedLoopsLetTheirThreadsEnd() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        CompletableFuture<Integer> last = onLoop(() -> {
            go.await();
            return 1;
        });
        loops.close();
        go.countDown();
        assertThat(last.get()).isOne();
    }

    @Test
    void closedLoopSleepsWhileAThreadStillWaits() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        CompletableFuture<Boolean> waits = new CompletableFuture<>();
        CompletableFuture<Integer> last = onLoop(() -> {
            waits.complete(true);
            go.await();
            return 1;
        });
        waits.get();
        loops.close();
        long before = LoopTasks.cpuNanos();
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300));
        assertThat(LoopTasks.cpuNanos() - before).isLessThan(TimeUnit.MILLISECONDS.toNanos(100));
        go.countDown();
        assertThat(last.get()).isOne();
    }

    private <T> CompletableFuture<T> onLoop(Callable<T> task) {
        return LoopTasks.on(loops, task);
    }

    /** As on JDK 26, where it takes something else. */
    @Test
    void jdkWhoseBuilderHasNoSuchConstructorHasNoLoops() {
        assertThat(VirtualThreads.constructor("java.lang.Thread")).isNull();
    }

    @Test
    void jdkWithoutTheBuilderHasNoLoops() {
        assertThat(VirtualThreads.constructor("java.lang.ThreadBuilders$Gone")).isNull();
    }
}
