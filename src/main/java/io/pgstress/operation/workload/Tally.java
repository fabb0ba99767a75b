package io.pgstress.operation.workload;

/**
 * What one client knows to be in the tables. Written by its thread; read by others when all clients stand still or have
 * ended.
 */
final class Tally {
    private final boolean inTransaction;
    private volatile long acknowledged;
    private volatile long uncommitted;
    private volatile long lost;
    private volatile boolean open;

    /** @param inTransaction whether nothing is in before {@link #committed} */
    Tally(boolean inTransaction) {
        this.inTransaction = inTransaction;
    }

    /** Something was sent. */
    void sent() {
        open = true;
    }

    /** The server has said that as many are in. */
    void acknowledged(long more) {
        if (inTransaction) {
            long before = uncommitted;
            uncommitted = before + more;
        } else {
            add(more);
        }
    }

    /** What was acknowledged since the last commit is in. */
    void committed() {
        add(uncommitted);
        uncommitted = 0;
    }

    private void add(long more) {
        long before = acknowledged;
        acknowledged = before + more;
        open = false;
    }

    /** The server has refused it, and with it what the transaction did before. */
    void refused() {
        uncommitted = 0;
        open = false;
    }

    boolean isInTransaction() {
        return inTransaction;
    }

    long acknowledged() {
        return acknowledged;
    }

    /** The session died before the answer: it may be in or not, whatever becomes of what is sent next. */
    void lost() {
        long before = lost;
        lost = before + 1;
        uncommitted = 0;
        open = false;
    }

    /** How often something was sent whose answer never came. */
    long doubts() {
        return lost + (open ? 1 : 0);
    }

    void reset() {
        acknowledged = 0;
        uncommitted = 0;
        lost = 0;
        open = false;
    }
}
