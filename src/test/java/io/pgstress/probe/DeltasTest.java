package io.pgstress.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Differences of counters that were restarted, or not read before. */
final class DeltasTest {
    @Test
    void reportsRestartedCountersInsteadOfNegativeOnes() {
        Map<String, Double> sums = new LinkedHashMap<>();
        List<String> notes = new ArrayList<>();

        Deltas.add(sums, Map.of("a", 100.0), Map.of("a", 30.0), "counters of x", notes::add);
        Deltas.add(sums, Map.of("a", 100.0), Map.of("a", 110.0), "counters of y", notes::add);

        assertThat(sums).containsEntry("a", 40.0);
        assertThat(notes).singleElement().asString().contains("counters of x", "restart");
    }

    @Test
    void omitsCountersNotReadBefore() {
        Map<String, Double> sums = new LinkedHashMap<>();
        List<String> notes = new ArrayList<>();

        Deltas.add(sums, Map.of(), Map.of("a", 1e9), "counters of x", notes::add);

        assertThat(sums).isEmpty();
        assertThat(notes).containsExactly("counters of x were not readable before the run: left out");
    }
}
