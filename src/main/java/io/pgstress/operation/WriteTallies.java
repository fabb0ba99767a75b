package io.pgstress.operation;

import io.pgstress.target.driver.ServerErrors;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToLongFunction;

/** The tallies of all clients of an operation. Thread-safe. */
public final class WriteTallies {
    private static final String ROLLED_BACK = "25P02";

    private final boolean inTransaction;
    private final List<WriteTally> all = new CopyOnWriteArrayList<>();

    /** @param inTransaction whether statements are committed by the client, by {@code --transaction} */
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

    /** Notes what became of a statement that failed; without a commit nothing of its transaction is in. */
    public static void failed(WriteTally tally, SQLException e) {
        if (tally.isInTransaction()) {
            tally.refused();
        } else {
            ended(tally, e);
        }
    }

    /** Notes what became of a transaction whose commit failed: in doubt, where no answer came. */
    public static void notCommitted(WriteTally tally, SQLException e) {
        if (ROLLED_BACK.equals(e.getSQLState())) {
            tally.refused();
        } else {
            ended(tally, e);
        }
    }

    /** What the driver had sent of a batch before may be in: it parts long ones (MAX_BUFFERED_RECV_BYTES). */
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

    /** Rows whose fate is unknown, at the most. */
    public long doubts() {
        return sum(tally -> tally.doubts() * tally.largest());
    }

    /**
     * Whether as much is there as was acknowledged; answers that never came may make it more.
     *
     * @param most that one statement brings
     */
    public PostRunCheck compare(String what, long there, long most) {
        long acknowledged = acknowledged();
        long doubt = sum(WriteTally::doubts) * most;
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
                        doubt == 0 ? "" : String.format(Locale.ROOT, ", at most %,d in doubt", doubt),
                        agree ? "" : ": they do not agree",
                        discarded == 0
                                ? ""
                                : String.format(
                                        Locale.ROOT,
                                        "; the server discarded %,d more without an error (a trigger or rule?)",
                                        discarded)));
    }
}
