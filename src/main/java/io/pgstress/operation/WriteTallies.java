package io.pgstress.operation;

import io.pgstress.target.driver.ServerErrors;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToLongFunction;

/** The write tallies of all clients of one operation, on this host and on others. Thread-safe. */
public final class WriteTallies {
    private static final String ROLLED_BACK = "25P02";

    private final boolean inTransaction;
    private final List<WriteTally> all = new CopyOnWriteArrayList<>();
    private final Map<Integer, WriteSums> hosts = new ConcurrentHashMap<>();

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
        hosts.replaceAll((host, sums) -> sums.isUnbounded() ? WriteSums.NONE.ofLostHost() : WriteSums.NONE);
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

    /** The writes of this host's clients. */
    public WriteSums own() {
        long unanswered = all.stream().mapToLong(WriteTally::doubts).sum();
        return new WriteSums(
                sum(WriteTally::acknowledged),
                sum(WriteTally::ids),
                sum(WriteTally::discarded),
                unanswered,
                sum(tally -> tally.doubts() * tally.largest()));
    }

    private long sum(ToLongFunction<WriteTally> of) {
        return all.stream().mapToLong(of).sum();
    }

    /** Replaces what is known of the writes of another host. */
    public void ofHost(int host, WriteSums sums) {
        hosts.put(host, sums);
    }

    /** Records that another host was lost: it may have written more than it has reported. */
    public void lost(int host) {
        hosts.merge(host, WriteSums.NONE.ofLostHost(), (known, lost) -> known.ofLostHost());
    }

    /** The writes of all hosts. */
    public WriteSums sums() {
        return hosts.values().stream().reduce(own(), WriteSums::plus);
    }

    public long acknowledged() {
        return sums().acknowledged();
    }

    /** The sum of the acknowledged ids, modulo 2^64. */
    public long ids() {
        return sums().ids();
    }

    public long discarded() {
        return sums().discarded();
    }

    /** Upper bound of the rows whose outcome is unknown. */
    public long doubts() {
        return sums().doubts();
    }

    /**
     * Compares the rows in the tables with the acknowledged ones; unanswered statements may have added more.
     *
     * @param maxRows rows per statement, at most
     */
    public PostRunCheck compare(String what, long there, long maxRows) {
        WriteSums sums = sums();
        long doubt = sums.isUnbounded() ? WriteSums.UNBOUNDED : sums.unanswered() * maxRows;
        boolean agree = there >= sums.acknowledged() && there <= sums.acknowledged() + doubt;
        return new PostRunCheck(
                agree && sums.discarded() == 0,
                String.format(Locale.ROOT, "%s: %,d there, %,d acknowledged", what, there, sums.acknowledged())
                        + doubtful(sums, doubt)
                        + (agree ? "" : ": the counts differ")
                        + (sums.discarded() == 0
                                ? ""
                                : String.format(
                                        Locale.ROOT,
                                        "; the server discarded %,d more without an error (a trigger or rule?)",
                                        sums.discarded())));
    }

    private static String doubtful(WriteSums sums, long doubt) {
        if (sums.isUnbounded()) {
            return " before a host was lost, which may have added more";
        }
        return doubt == 0 ? "" : String.format(Locale.ROOT, ", at most %,d of unknown outcome", doubt);
    }
}
