package io.pgstress.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.operation.WriteTallies.WriteSums;
import io.pgstress.operation.WriteTallies.WriteTally;
import io.pgstress.result.RemarkCode;
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

    private static boolean agrees(WriteTallies writes, long there) {
        return writes.compare("rows", there, null).stream()
                .noneMatch(remark -> remark.severity() == RemarkCode.Severity.NOT_VALID);
    }

    @Test
    void lostAnswerStaysInDoubt() {
        lose();
        succeed();

        assertThat(agrees(tallies, 2)).isTrue();
        assertThat(agrees(tallies, 1)).isTrue();
        assertThat(agrees(tallies, 3)).isFalse();
    }

    @Test
    void countsEachLostAnswerOfAClient() {
        lose();
        lose();
        tally.sent();

        assertThat(agrees(tallies, 3)).isTrue();
        assertThat(agrees(tallies, 4)).isFalse();
    }

    @Test
    void transactionCountsAtItsCommitAndALostCommitIsInDoubt() {
        WriteTallies committing = new WriteTallies(true);
        WriteTally client = committing.forClient();
        client.sent();
        client.acknowledged(10);
        client.acknowledged(10);
        WriteTallies.failed(client, new SQLException("gone", "08006"));
        assertThat(committing.compare("rows", 0, null))
                .containsExactly(RemarkCode.COUNTS_AGREE
                        .with("check", "rows")
                        .with("found", 0L)
                        .with("acknowledged", 0L)
                        .remark());

        client.sent();
        client.acknowledged(20);
        WriteTallies.notCommitted(client, new SQLException("rolled back", "25P02"));
        assertThat(agrees(committing, 20)).isFalse();

        client.sent();
        client.acknowledged(20);
        client.committed();
        client.sent();
        client.acknowledged(20);
        WriteTallies.notCommitted(client, new SQLException("gone", "08006"));
        assertThat(agrees(committing, 19)).isFalse();
        assertThat(agrees(committing, 20)).isTrue();
        assertThat(committing.compare("rows", 40, null))
                .containsExactly(
                        RemarkCode.COUNTS_AGREE
                                .with("check", "rows")
                                .with("found", 40L)
                                .with("acknowledged", 20L)
                                .remark(),
                        RemarkCode.OUTCOMES_UNKNOWN
                                .with("check", "rows")
                                .with("rows", 20L)
                                .remark());
        assertThat(agrees(committing, 41)).isFalse();
    }

    @Test
    void refusedWriteIsNotInDoubt() {
        tally.sent();
        tally.refused();

        assertThat(tallies.compare("rows", 0, null))
                .containsExactly(RemarkCode.COUNTS_AGREE
                        .with("check", "rows")
                        .with("found", 0L)
                        .with("acknowledged", 0L)
                        .remark());
    }

    @Test
    void addsUpTheHostsAndBoundsWhatALostOneWrote() {
        WriteTallies tallies = new WriteTallies(false);
        tallies.ofHost(0, new WriteSums(100, 0, 0, 0));
        tallies.ofHost(1, new WriteSums(50, 0, 0, 0));
        assertThat(tallies.compare("rows", 150, null))
                .containsExactly(RemarkCode.COUNTS_AGREE
                        .with("check", "rows")
                        .with("found", 150L)
                        .with("acknowledged", 150L)
                        .remark());
        assertThat(agrees(tallies, 151)).isFalse();

        tallies.lost(1);
        assertThat(agrees(tallies, 190)).isTrue();
        assertThat(tallies.compare("rows", 190, null))
                .containsExactly(
                        RemarkCode.COUNTS_AGREE
                                .with("check", "rows")
                                .with("found", 190L)
                                .with("acknowledged", 150L)
                                .remark(),
                        RemarkCode.LOST_HOST_WROTE.with("check", "rows").remark());
        assertThat(agrees(tallies, 149)).isFalse();

        tallies.reset(); // the lost host may still be writing
        tallies.ofHost(0, new WriteSums(10, 0, 0, 0));
        assertThat(agrees(tallies, 13)).isTrue();
    }
}
