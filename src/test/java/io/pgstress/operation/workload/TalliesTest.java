package io.pgstress.operation.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** What may be in the tables though nobody said so. */
final class TalliesTest {
    private final Tallies tallies = new Tallies();
    private final Tally tally = tallies.forClient();

    private void lose() {
        tally.sent();
        Tallies.failed(tally, new SQLException("gone", "08006"));
    }

    private void succeed() {
        tally.sent();
        tally.acknowledged(1);
    }

    @Test
    void aLostAnswerStaysInDoubtWhateverComesAfter() {
        lose();
        succeed();

        assertThat(tallies.compare("rows", 2, 1).holds()).isTrue();
        assertThat(tallies.compare("rows", 1, 1).holds()).isTrue();
        assertThat(tallies.compare("rows", 3, 1).holds()).isFalse();
    }

    @Test
    void eachLossOfAClientCounts() {
        lose();
        lose();
        tally.sent();

        assertThat(tallies.compare("rows", 3, 1).holds()).isTrue();
        assertThat(tallies.compare("rows", 4, 1).holds()).isFalse();
    }

    @Test
    void whatTheServerRefusedIsNotInDoubt() {
        tally.sent();
        tally.refused();

        assertThat(tallies.compare("rows", 0, 1).text()).doesNotContain("doubt");
    }
}
