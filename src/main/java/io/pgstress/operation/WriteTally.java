package io.pgstress.operation;

/**
 * What one client knows to be in a table. Written by its thread; read by others when all clients stand still or have
 * ended.
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

    /** @param inTransaction whether nothing is in before {@link #committed} */
    WriteTally(boolean inTransaction) {
        this.inTransaction = inTransaction;
    }

    /** Something was sent. */
    public void sent() {
        open = true;
    }

    /** The server has said that as many are in. */
    public void acknowledged(long more) {
        acknowledged(more, 0);
    }

    /** @param ofIds the sum of their ids, modulo 2^64; 0 where ids are not compared */
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

    /** The server reported success and fewer rows than were sent. */
    public void discarded(long rows) {
        long before = discarded;
        discarded = before + rows;
    }

    /** What was acknowledged since the last commit is in. */
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

    /** The server has refused it, and with it what the transaction did before. */
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

    /** The most rows of one statement. */
    long largest() {
        return largest;
    }

    /** The session died before the answer: it may be in or not, whatever becomes of what is sent next. */
    public void lost() {
        long before = lost;
        lost = before + 1;
        forgetUncommitted();
        open = false;
    }

    /** How often something was sent whose answer never came. */
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
