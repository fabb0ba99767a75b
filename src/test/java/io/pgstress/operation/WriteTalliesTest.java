package io.pgstress.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.operation.WriteTallies.WriteSums;
import io.pgstress.operation.WriteTallies.WriteTally;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** Writes that may be in the tables although they were not acknowledged. */
final class WriteTalliesTest {
    private final WriteTallies tallies = new WriteTallies(false);
    private final WriteTally tally = tallies.forClient();

    private void lose() {
        tally.sent();
        WriteTallies.failed(tally, new SQLException("gone", "08006"));
    }

    private void succeed() {
        tally.sent();
        tally.acknowledged(1);
    }

    @Test
    void lostAnswerStaysInDoubt() {
        lose();
        succeed();

        assertThat(tallies.compare("rows", 2).holds()).isTrue();
        assertThat(tallies.compare("rows", 1).holds()).isTrue();
        assertThat(tallies.compare("rows", 3).holds()).isFalse();
    }

    @Test
    void countsEachLostAnswerOfAClient() {
        lose();
        lose();
        tally.sent();

        assertThat(tallies.compare("rows", 3).holds()).isTrue();
        assertThat(tallies.compare("rows", 4).holds()).isFalse();
    }

    @Test
    void transactionCountsAtItsCommitAndALostCommitIsInDoubt() {
        WriteTallies committing = new WriteTallies(true);
        WriteTally client = committing.forClient();
        client.sent();
        client.acknowledged(10);
        client.acknowledged(10);
        WriteTallies.failed(client, new SQLException("gone", "08006"));
        assertThat(committing.compare("rows", 0).text()).isEqualTo("rows: 0 there, 0 acknowledged");

        client.sent();
        client.acknowledged(20);
        WriteTallies.notCommitted(client, new SQLException("rolled back", "25P02"));
        assertThat(committing.compare("rows", 20).holds()).isFalse();

        client.sent();
        client.acknowledged(20);
        client.committed();
        client.sent();
        client.acknowledged(20);
        WriteTallies.notCommitted(client, new SQLException("gone", "08006"));
        assertThat(committing.compare("rows", 19).holds()).isFalse();
        assertThat(committing.compare("rows", 20).holds()).isTrue();
        assertThat(committing.compare("rows", 40).text())
                .isEqualTo("rows: 40 there, 20 acknowledged, at most 20 of unknown outcome");
        assertThat(committing.compare("rows", 41).holds()).isFalse();
    }

    @Test
    void refusedWriteIsNotInDoubt() {
        tally.sent();
        tally.refused();

        assertThat(tallies.compare("rows", 0).text()).doesNotContain("doubt");
    }

    @Test
    void addsUpTheHostsAndBoundsWhatALostOneWrote() {
        WriteTallies tallies = new WriteTallies(false);
        tallies.ofHost(0, new WriteSums(100, 0, 0, 0));
        tallies.ofHost(1, new WriteSums(50, 0, 0, 0));
        assertThat(tallies.compare("rows", 150).text()).isEqualTo("rows: 150 there, 150 acknowledged");
        assertThat(tallies.compare("rows", 151).holds()).isFalse();

        tallies.lost(1);
        assertThat(tallies.compare("rows", 190).holds()).isTrue();
        assertThat(tallies.compare("rows", 190).text())
                .isEqualTo("rows: 190 there, 150 acknowledged before a host was lost, which may have added more");
        assertThat(tallies.compare("rows", 149).holds()).isFalse();

        tallies.reset(); // the lost host may still be writing
        tallies.ofHost(0, new WriteSums(10, 0, 0, 0));
        assertThat(tallies.compare("rows", 13).holds()).isTrue();
    }
}
