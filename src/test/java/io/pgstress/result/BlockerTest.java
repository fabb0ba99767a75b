package io.pgstress.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.result.OperationWaits.Blocker;
import org.junit.jupiter.api.Test;

/** Reports name the session that others wait for, and the statement that it runs. */
final class BlockerTest {
    private static String words(String state, String statement) {
        return new Blocker("find_update", Blocker.Kind.OTHER, "psql", statement, state, 5, 1).words();
    }

    @Test
    void statementThatBlocksIsNamed() {
        assertThat(words("active", "vacuum full check_in")).isEqualTo("session psql (active: vacuum full check_in)");
    }

    @Test
    void literalsAreNotShown() {
        assertThat(words("active", "update a set n = 4111111111111111 where b = 'secret' and c = $1"))
                .isEqualTo("session psql (active: update a set n = ? where b = ? and c = $1)");
        assertThat(words("active", "create index on check_in (" + "n, ".repeat(100) + ")")
                        .length())
                .isLessThan(100);
    }

    @Test
    void lastStatementOfAnIdleSessionIsNotWhatBlocks() {
        assertThat(words("idle in transaction", "select 1")).isEqualTo("session psql (idle in transaction)");
    }
}
