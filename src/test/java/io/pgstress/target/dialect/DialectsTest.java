package io.pgstress.target.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.testing.Implementations;
import org.junit.jupiter.api.Test;

final class DialectsTest {
    @Test
    void everyDialectIsListed() {
        assertThat(Dialects.all().stream().map(Object::getClass))
                .as("a dialect without its line in Dialects")
                .containsExactlyInAnyOrderElementsOf(Implementations.of(Dialect.class));
    }
}
