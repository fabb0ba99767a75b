package io.pgstress.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.measure.Spans.Span;
import org.junit.jupiter.api.Test;

final class SpansTest {
    /** A process that stands still when its measurement begins learns of the beginning, and of the standstill, afterwards. */
    @Test
    void aSpanOverTheBeginningIsKept() {
        Spans spans = new Spans();
        spans.add(100_000_000, 900_000_000);
        spans.add(1_000_000_000L, 3_000_000_000L);
        spans.add(4_000_000_000L, 5_000_000_000L);

        spans.dropUntil(2_000_000_000L);

        assertThat(spans.all())
                .containsExactly(new Span(1_000_000_000L, 3_000_000_000L), new Span(4_000_000_000L, 5_000_000_000L));
    }
}
