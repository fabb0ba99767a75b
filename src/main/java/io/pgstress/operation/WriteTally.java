package io.pgstress.operation;

/**
 * Writes that one client knows to be in a table. Written by the client's thread; others may read it while all clients
 * are paused or have ended.
 */
public final class WriteTally {
    private final boolean inTransaction;
    private volatile long acknowledged;
    private volatile long ids;
    private volatile long uncommitted;
    private volatile long uncommittedIds;
    private volatile long lost;
    private volatile long discarded;
    private volatile long largest = 1;
    private volatile boolean open;

    /** @param inTransaction whether writes take effect only with {@link #committed} */
    WriteTally(boolean inTransaction) {
        this.inTransaction = inTransaction;
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

    long acknowledged() {
        return acknowledged;
    }

    /** The sum of the acknowledged ids, modulo 2^64. */
    long ids() {
        return ids;
    }

    long discarded() {
        return discarded;
    }

    /** The largest number of rows per statement. */
    long largest() {
        return largest;
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
