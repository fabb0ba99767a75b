package io.pgstress.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The share of one host. */
final class IdSliceTest {
    @Test
    void readsBothParts() {
        assertThat(IdSlice.parse(" 2 / 4")).isEqualTo(new IdSlice(2, 4));
    }

    @ParameterizedTest
    @ValueSource(strings = {"3", "1/2/4", "", "/", "1/", "a/2", "3/2", "0/2"})
    void refusesAnythingElse(String text) {
        assertThatThrownBy(() -> IdSlice.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be i/n");
    }
}
