package io.pgstress.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RepeatedRemarksTest {
    @Test
    void remarkThatABlockMakesTwiceCountsOnce() {
        Map<String, Integer> told = new LinkedHashMap<>();

        RepeatedRemarks.add(List.of("a stall of 0.3 s", "idle", "a stall of 0.5 s"), told);
        RepeatedRemarks.add(List.of("a stall of 0.7 s"), told);
        RepeatedRemarks.add(List.of(), told);

        assertThat(RepeatedRemarks.words(told, 3, "blocks"))
                .containsExactly(
                        "in 2 of 3 blocks, for example: a stall of 0.3 s", "in 1 of 3 blocks, for example: idle");
    }

    @Test
    void remarksAboutOtherTablesAreOfOneKind() {
        Map<String, Integer> told = new LinkedHashMap<>();

        RepeatedRemarks.add(List.of("autovacuum worked (on public.a), as it does"), told);
        RepeatedRemarks.add(List.of("autovacuum worked (on public.b, public.c and 2 more), as it does"), told);
        RepeatedRemarks.add(List.of("autovacuum worked (on public.a): stop it"), told);

        assertThat(told)
                .containsExactly(
                        Map.entry("autovacuum worked (on public.a), as it does", 2),
                        Map.entry("autovacuum worked (on public.a): stop it", 1));
    }
}
