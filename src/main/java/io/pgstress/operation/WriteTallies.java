package io.pgstress.operation;

import io.pgstress.target.driver.ServerErrors;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToLongFunction;

/** The write tallies of all clients of one operation. Thread-safe. */
public final class WriteTallies {
    private static final String ROLLED_BACK = "25P02";

    private final boolean inTransaction;
    private final List<WriteTally> all = new CopyOnWriteArrayList<>();

    /** @param inTransaction whether the client commits the statements ({@code --transaction}) */
    public WriteTallies(boolean inTransaction) {
        this.inTransaction = inTransaction;
    }

    public WriteTally forClient() {
        WriteTally tally = new WriteTally(inTransaction);
        all.add(tally);
        return tally;
    }

    public void reset() {
        all.forEach(WriteTally::reset);
    }

    /** Records a failed statement: without a commit, its transaction has no effect. */
    public static void failed(WriteTally tally, SQLException e) {
        if (tally.isInTransaction()) {
            tally.refused();
        } else {
            ended(tally, e);
        }
    }

    /** Records a failed commit: its outcome is unknown if the server did not answer. */
    public static void notCommitted(WriteTally tally, SQLException e) {
        if (ROLLED_BACK.equals(e.getSQLState())) {
            tally.refused();
        } else {
            ended(tally, e);
        }
    }

    /** The driver splits long batches (MAX_BUFFERED_RECV_BYTES), so an earlier part may have taken effect. */
    private static void ended(WriteTally tally, SQLException e) {
        if (ServerErrors.sessionIsAlive(e) && !(e instanceof BatchUpdateException)) {
            tally.refused();
        } else {
            tally.lost();
        }
    }

    private long sum(ToLongFunction<WriteTally> of) {
        return all.stream().mapToLong(of).sum();
    }

    public long acknowledged() {
        return sum(WriteTally::acknowledged);
    }

    /** The sum of the acknowledged ids, modulo 2^64. */
    public long ids() {
        return sum(WriteTally::ids);
    }

    public long discarded() {
        return sum(WriteTally::discarded);
    }

    /** Upper bound of the rows whose outcome is unknown. */
    public long doubts() {
        return sum(tally -> tally.doubts() * tally.largest());
    }

    /**
     * Compares the rows in the tables with the acknowledged ones; unanswered statements may have added more.
     *
     * @param maxRows rows per statement, at most
     */
    public PostRunCheck compare(String what, long there, long maxRows) {
        long acknowledged = acknowledged();
        long doubt = sum(WriteTally::doubts) * maxRows;
        long discarded = discarded();
        boolean agree = there >= acknowledged && there <= acknowledged + doubt;
        return new PostRunCheck(
                agree && discarded == 0,
                String.format(
                        Locale.ROOT,
                        "%s: %,d there, %,d acknowledged%s%s%s",
                        what,
                        there,
                        acknowledged,
                        doubt == 0 ? "" : String.format(Locale.ROOT, ", at most %,d of unknown outcome", doubt),
                        agree ? "" : ": the counts differ",
                        discarded == 0
                                ? ""
                                : String.format(
                                        Locale.ROOT,
                                        "; the server discarded %,d more without an error (a trigger or rule?)",
                                        discarded)));
    }
}
