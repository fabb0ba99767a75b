package io.pgstress.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
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

    @Test
    void aListIsCutAfterFive() {
        List<String> all = IntStream.range(0, 71).mapToObj(i -> "c" + i).toList();
        assertThat(Counted.first(all, ", ")).isEqualTo("c0, c1, c2, c3, c4, and 66 more");
        assertThat(Counted.first(all.subList(0, 5), "; ")).isEqualTo("c0; c1; c2; c3; c4");
    }
}
