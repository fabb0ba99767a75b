package io.pgstress.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.measure.Spans.Span;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

final class CollectorPausesTest {
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(30);

    @Test
    void recordsAPauseWithItsTime() {
        long before = System.nanoTime();
        try (CollectorPauses pauses = new CollectorPauses(n -> n - before)) {
            System.gc();
            long after = System.nanoTime();
            while (pauses.spans().isEmpty() && System.nanoTime() - after < MOST_NANOS) {
                LockSupport.parkNanos(1_000_000);
            }

            List<Span> heard = pauses.spans();
            assertThat(heard).isNotEmpty();
            Span first = heard.get(0);
            assertThat(first.from()).isGreaterThan(-50_000_000L);
            assertThat(first.to()).isBetween(first.from(), after - before + MOST_NANOS);
        }
    }

    @Test
    void concurrentCyclesAreNotPauses() {
        assertThat(CollectorPauses.isPausing("G1 Young Generation")).isTrue();
        assertThat(CollectorPauses.isPausing("G1 Concurrent GC")).isFalse();
        assertThat(CollectorPauses.isPausing("ZGC Cycles")).isFalse();
    }
}
