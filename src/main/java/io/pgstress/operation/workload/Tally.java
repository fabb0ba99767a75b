package io.pgstress.operation.workload;

/**
 * What one client knows to be in the tables. Written by its thread; read by others when all clients stand still or have
 * ended.
 */
final class Tally {
    private volatile long acknowledged;
    private volatile long lost;
    private volatile boolean open;

    /** Something was sent. */
    void sent() {
        open = true;
    }

    /** The server has said that as many are in. */
    void acknowledged(long more) {
        long before = acknowledged;
        acknowledged = before + more;
        open = false;
    }

    /** The server has refused it. */
    void refused() {
        open = false;
    }

    long acknowledged() {
        return acknowledged;
    }

    /** The session died before the answer: it may be in or not, whatever becomes of what is sent next. */
    void lost() {
        long before = lost;
        lost = before + 1;
        open = false;
    }

    /** How often something was sent whose answer never came. */
    long doubts() {
        return lost + (open ? 1 : 0);
    }

    void reset() {
        acknowledged = 0;
        lost = 0;
        open = false;
    }
}
