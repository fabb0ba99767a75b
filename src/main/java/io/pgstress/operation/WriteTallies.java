package io.pgstress.operation;

import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.target.driver.ServerErrors;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The write tallies of all clients of one operation, on this host and on others. Thread-safe. */
public final class WriteTallies {
    private static final String ROLLED_BACK = "25P02";

    private final boolean inTransaction;
    private final long maxRows;
    private final List<WriteTally> all = new CopyOnWriteArrayList<>();
    private final Map<Integer, WriteSums> hosts = new ConcurrentHashMap<>();

    /** For statements of one row, or of unknown numbers of rows. */
    public WriteTallies(boolean inTransaction) {
        this(inTransaction, 1);
    }

    /**
     * @param inTransaction whether the client commits the statements ({@code --transaction})
     * @param maxRows rows per statement, at most, until some have more
     */
    public WriteTallies(boolean inTransaction, long maxRows) {
        this.inTransaction = inTransaction;
        this.maxRows = maxRows;
    }

    public WriteTally forClient() {
        WriteTally tally = new WriteTally(inTransaction, maxRows);
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
        return new WriteSums(
                sum(tally -> tally.acknowledged),
                sum(tally -> tally.ids),
                sum(tally -> tally.discarded),
                sum(tally -> tally.doubts() * tally.largest));
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

    /**
     * Compares the rows in the tables with the acknowledged ones; unanswered statements may have added more.
     *
     * @param check what is compared
     * @param unlogged those of the tables that a crash of the server empties, in words; null: none
     */
    public List<Remark> compare(String check, long there, @Nullable String unlogged) {
        WriteSums sums = sums();
        boolean agree = there >= sums.acknowledged() && there <= sums.acknowledged() + sums.doubts();
        List<Remark> found = new ArrayList<>();
        found.add(
                agree
                        ? RemarkCode.COUNTS_AGREE
                                .with("check", check)
                                .with("found", there)
                                .with("acknowledged", sums.acknowledged())
                                .remark()
                        : RemarkCode.COUNTS_DIFFER
                                .with("check", check)
                                .with("found", there)
                                .with("acknowledged", sums.acknowledged())
                                .with("unlogged", unlogged)
                                .remark());
        if (sums.discarded() > 0) {
            found.add(RemarkCode.ROWS_DISCARDED
                    .with("check", check)
                    .with("rows", sums.discarded())
                    .remark());
        }
        if (sums.isUnbounded()) {
            found.add(RemarkCode.LOST_HOST_WROTE.with("check", check).remark());
        } else if (sums.doubts() > 0) {
            found.add(RemarkCode.OUTCOMES_UNKNOWN
                    .with("check", check)
                    .with("rows", sums.doubts())
                    .remark());
        }
        return found;
    }

    /**
     * The writes of one host, or of all, that the server acknowledged since the last reset of the tables.
     *
     * @param acknowledged rows
     * @param ids the sum of their ids modulo 2^64; 0 if ids are not compared
     * @param discarded rows that the server discarded without an error
     * @param doubts upper bound of the rows whose outcome is unknown; {@link #UNBOUNDED} if there is none
     */
    public record WriteSums(long acknowledged, long ids, long discarded, long doubts) {
        /** Nothing was written. */
        public static final WriteSums NONE = new WriteSums(0, 0, 0, 0);

        /** More rows than any table holds: the doubts of a host that was lost, whose last writes nobody has counted. */
        public static final long UNBOUNDED = 1L << 50;

        /** The sum of both. */
        public WriteSums plus(WriteSums other) {
            return new WriteSums(
                    acknowledged + other.acknowledged,
                    ids + other.ids,
                    discarded + other.discarded,
                    Math.min(UNBOUNDED, doubts + other.doubts));
        }

        /** The sums of a host that was lost, which may have written any number of rows since. */
        public WriteSums ofLostHost() {
            return new WriteSums(acknowledged, ids, discarded, UNBOUNDED);
        }

        /** Whether the number of rows of unknown outcome has no upper bound. */
        public boolean isUnbounded() {
            return doubts >= UNBOUNDED;
        }
    }

    /**
     * Writes that one client knows to be in a table. Written by the client's thread; others may read it while all clients
     * are paused or have ended.
     */
    public static final class WriteTally {
        private final boolean inTransaction;
        private volatile long acknowledged;
        private volatile long ids;
        private volatile long uncommitted;
        private volatile long uncommittedIds;
        private volatile long lost;
        private volatile long discarded;
        private volatile long largest;
        private volatile boolean open;

        /**
         * @param inTransaction whether writes take effect only with {@link #committed}
         * @param maxRows rows per statement, at most, until some have more
         */
        WriteTally(boolean inTransaction, long maxRows) {
            this.inTransaction = inTransaction;
            this.largest = maxRows;
        }

        /** Records that a statement was sent. */
        public void sent() {
            open = true;
        }

        /** Records rows acknowledged by the server. */
        public void acknowledged(long more) {
            acknowledged(more, 0);
        }

        /** @param ofIds the sum of their ids, modulo 2^64; 0 if ids are not compared */
        public void acknowledged(long more, long ofIds) {
            if (more > largest) {
                largest = more;
            }
            if (inTransaction) {
                long before = uncommitted;
                long idsBefore = uncommittedIds;
                uncommitted = before + more;
                uncommittedIds = idsBefore + ofIds;
            } else {
                add(more, ofIds);
            }
        }

        /** Records that the server reported success with fewer rows than were sent. */
        public void discarded(long rows) {
            long before = discarded;
            discarded = before + rows;
        }

        /** Records a commit of everything acknowledged since the previous one. */
        public void committed() {
            add(uncommitted, uncommittedIds);
            forgetUncommitted();
        }

        private void add(long more, long ofIds) {
            long before = acknowledged;
            long idsBefore = ids;
            acknowledged = before + more;
            ids = idsBefore + ofIds;
            open = false;
        }

        private void forgetUncommitted() {
            uncommitted = 0;
            uncommittedIds = 0;
        }

        /** Records that the server rejected the statement, and with it the transaction so far. */
        public void refused() {
            forgetUncommitted();
            open = false;
        }

        public boolean isInTransaction() {
            return inTransaction;
        }

        /** Records that the session died before the answer: the outcome stays unknown. */
        public void lost() {
            long before = lost;
            lost = before + 1;
            forgetUncommitted();
            open = false;
        }

        /** Number of statements that were never answered. */
        long doubts() {
            return lost + (open ? 1 : 0);
        }

        void reset() {
            acknowledged = 0;
            ids = 0;
            forgetUncommitted();
            lost = 0;
            discarded = 0;
            open = false;
        }
    }
}
