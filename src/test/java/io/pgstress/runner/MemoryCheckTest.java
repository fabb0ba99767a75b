package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.dataset.Table;
import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.Operation;
import io.pgstress.operation.OperationProfile;
import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.runner.Runner.MemoryCheck;
import io.pgstress.target.statement.Sql;
import io.pgstress.testing.Runs;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whether the heap can hold the rows of all clients. */
final class MemoryCheckTest {
    private static final Table EMPTY = Table.own(new TableName("", "docs"));

    /** Documents of 1 TB in all. */
    private static final Table LARGE = new Table(
            EMPTY.name(), KeyType.INT, 1_000_000, 1_000_000_000_000L, EMPTY.ids(), EMPTY.keys(), EMPTY.others());

    /** @param maxRows most rows that a client holds in memory at once */
    private record Reading(int maxRows) implements Operation {
        @Override
        public List<Sql> statements(int client) {
            return List.of();
        }

        @Override
        public OperationProfile profile() {
            return OperationProfile.DEFAULT.holdingRows(maxRows);
        }

        @Override
        public ClientOperation forClient(ClientSeat seat) {
            throw new UnsupportedOperationException();
        }
    }

    private static void check(int maxRows, String... options) {
        MemoryCheck.check(
                Runs.spec("-t docs -c 100 --url jdbc:postgresql://localhost/", options),
                LARGE,
                List.of(new Reading(maxRows)));
    }

    @Test
    void anyOperationThatHoldsMoreRowsThanTheHeapIsRefused() {
        assertThatThrownBy(() -> check(1_000_000))
                .isInstanceOf(InvalidPlanException.class)
                .hasMessageContaining(
                        "op: find_first with 100 clients of up to 1000000 rows of 1000100 bytes needs about");
    }

    @Test
    void fewRowsAndAFetchSizeAreNot() {
        assertThatCode(() -> check(0)).doesNotThrowAnyException();
        assertThatCode(() -> check(1_000_000, "--fetch-size 1000 --transaction"))
                .doesNotThrowAnyException();
    }
}
