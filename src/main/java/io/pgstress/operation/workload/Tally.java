package io.pgstress.operation.workload;

/**
 * What one client knows to be in the tables. Written by its thread; read by others when all clients stand still or have
 * ended.
 */
final class Tally {
    private volatile long acknowledged;
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

    /** Whether something was sent whose answer never came: it may be in or not. */
    boolean isInDoubt() {
        return open;
    }

    void reset() {
        acknowledged = 0;
        open = false;
    }
}
