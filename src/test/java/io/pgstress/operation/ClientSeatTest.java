package io.pgstress.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.dataset.KeySamplers.KeySampler;
import io.pgstress.operation.Operation.ClientSeat;
import io.pgstress.plan.KeyDistribution;
import io.pgstress.plan.StatementMode;
import io.pgstress.target.statement.ClientStatements;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Random numbers of clients and operations. */
final class ClientSeatTest {
    private static List<Long> drawn(int operation, int client, KeyDistribution distribution) {
        ClientStatements session =
                new ClientStatements(StatementMode.PREPARED, List.of(), 0, (o, s, nanos, rows, fetch) -> {});
        KeySampler sampler = new ClientSeat(operation, session, client, 4, 1).sampler(distribution, 1_000_000);
        return IntStream.range(0, 1_000).mapToObj(i -> sampler.next()).toList();
    }

    @Test
    void operationsOfAMixDrawDifferentIds() {
        List<Long> first = drawn(0, 0, KeyDistribution.UNIFORM);

        assertThat(drawn(0, 0, KeyDistribution.UNIFORM)).isEqualTo(first);
        assertThat(drawn(1, 0, KeyDistribution.UNIFORM))
                .isNotEqualTo(first)
                .doesNotContainSequence(first.subList(0, 3));
        assertThat(drawn(0, 1, KeyDistribution.UNIFORM)).isNotEqualTo(first);
    }

    @Test
    void allClientsFavorTheSameIds() {
        assertThat(mode(drawn(1, 0, KeyDistribution.ZIPFIAN))).isEqualTo(mode(drawn(0, 0, KeyDistribution.ZIPFIAN)));
    }

    private static long mode(List<Long> drawn) {
        return drawn.stream()
                .max(java.util.Comparator.comparingLong(
                        i -> drawn.stream().filter(i::equals).count()))
                .orElseThrow();
    }
}
