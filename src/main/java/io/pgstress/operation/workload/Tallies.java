package io.pgstress.operation.workload;

import io.pgstress.operation.Afterwards;
import io.pgstress.target.driver.ServerErrors;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;

/** The tallies of all clients of an operation. Thread-safe. */
final class Tallies {
    private static final String ROLLED_BACK = "25P02";

    private final boolean inTransaction;
    private final List<Tally> all = new CopyOnWriteArrayList<>();

    /** @param inTransaction whether statements are committed by the client, by {@code --transaction} */
    Tallies(boolean inTransaction) {
        this.inTransaction = inTransaction;
    }

    Tally forClient() {
        Tally tally = new Tally(inTransaction);
        all.add(tally);
        return tally;
    }

    void reset() {
        all.forEach(Tally::reset);
    }

    /** Notes what became of a statement that failed; without a commit nothing of its transaction is in. */
    static void failed(Tally tally, SQLException e) {
        if (tally.isInTransaction()) {
            tally.refused();
        } else {
            ended(tally, e);
        }
    }

    /** Notes what became of a transaction whose commit failed: in doubt, where no answer came. */
    static void notCommitted(Tally tally, SQLException e) {
        if (ROLLED_BACK.equals(e.getSQLState())) {
            tally.refused();
        } else {
            ended(tally, e);
        }
    }

    /** What the driver had sent of a batch before may be in: it parts long ones (MAX_BUFFERED_RECV_BYTES). */
    private static void ended(Tally tally, SQLException e) {
        if (ServerErrors.sessionIsAlive(e) && !(e instanceof BatchUpdateException)) {
            tally.refused();
        } else {
            tally.lost();
        }
    }

    /**
     * Whether as much is there as was acknowledged; answers that never came may make it more.
     *
     * @param most that one statement brings
     */
    Afterwards compare(String what, long there, long most) {
        long acknowledged = all.stream().mapToLong(Tally::acknowledged).sum();
        long doubt = all.stream().mapToLong(Tally::doubts).sum() * most;
        boolean holds = there >= acknowledged && there <= acknowledged + doubt;
        return new Afterwards(
                holds,
                String.format(
                        Locale.ROOT,
                        "%s: %,d there, %,d acknowledged%s%s",
                        what,
                        there,
                        acknowledged,
                        doubt == 0 ? "" : String.format(Locale.ROOT, ", at most %,d in doubt", doubt),
                        holds ? "" : ": they do not agree"));
    }
}
