package io.pgstress.probe.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.probe.server.ServerCounters.Counted;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a server has counted between two moments. */
final class ServerCountersTest {
    private static ServerCounters with(Map<Long, Counted> statements) {
        return new ServerCounters(Map.of(), Map.of(), statements);
    }

    private static Counted calls(long calls) {
        return new Counted("select 1", calls, calls, calls, 0, 0, null);
    }

    @Test
    void aStatementsCallsAreThoseBetweenTheTwoMoments() {
        assertThat(with(Map.of(7L, calls(12))).statementsSince(with(Map.of(7L, calls(10))), "a"))
                .singleElement()
                .satisfies(s -> assertThat(s.calls()).isEqualTo(2));
        assertThat(with(Map.of(7L, calls(12))).statementsSince(with(Map.of()), "a"))
                .singleElement()
                .satisfies(s -> assertThat(s.calls()).isEqualTo(12));
    }

    @Test
    void withoutTheFirstMomentNothingIsTold() {
        assertThat(with(Map.of(7L, calls(12))).statementsSince(ServerCounters.NONE, "a"))
                .isEmpty();
        assertThat(ServerCounters.NONE.statementsSince(with(Map.of(7L, calls(12))), "a"))
                .isEmpty();
    }
}
