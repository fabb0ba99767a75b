package io.pgstress.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Numbers with nouns. */
final class CountedTest {
    @Test
    void oneIsSingular() {
        assertThat(Counted.of(1, "row")).isEqualTo("1 row");
        assertThat(Counted.of(0, "row")).isEqualTo("0 rows");
        assertThat(Counted.of(2_000, "entry")).isEqualTo("2,000 entries");
        assertThat(Counted.of(3, "index")).isEqualTo("3 indexes");
        assertThat(Counted.of(2, "array")).isEqualTo("2 arrays");
    }
}
