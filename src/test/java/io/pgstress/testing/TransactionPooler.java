package io.pgstress.testing;

import io.pgstress.testing.wire.Listener;
import java.io.IOException;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lends a few sessions of a server to many clients, each for one transaction, as PgBouncer does with {@code pool_mode =
 * transaction}. The session returned last is lent first.
 */
public final class TransactionPooler implements AutoCloseable {
    private final Listener listener;
    private final int target;
    private final int size;
    private final AtomicInteger opened = new AtomicInteger();
    private final BlockingDeque<PooledSession> idle = new LinkedBlockingDeque<>();
    private volatile boolean rewritesNames;
    private volatile boolean refusesOptions;
    private volatile boolean rotates;
    private volatile boolean keepsSessions;

    /**
     * @param target the server's port, on loopback
     * @param size maximum number of sessions of the server
     */
    public TransactionPooler(int target, int size) {
        this.target = target;
        this.size = size;
        AtomicInteger clients = new AtomicInteger();
        listener = new Listener("pooler", client -> new PoolerClient(this, client, clients.getAndIncrement()).serve());
    }

    /** From now on, it prepares statements under its own names, in each session that uses one. */
    public TransactionPooler supportingPreparedStatements() {
        rewritesNames = true;
        return this;
    }

    /** From now on, it refuses the startup parameter "options". */
    public TransactionPooler refusingOptions() {
        refusesOptions = true;
        return this;
    }

    /** From now on, the session that was idle longest is lent first. */
    public TransactionPooler rotating() {
        rotates = true;
        return this;
    }

    /** From now on, a client keeps its session until it disconnects: pool_mode = session. */
    public TransactionPooler keepingSessions() {
        keepsSessions = true;
        return this;
    }

    /** From now on, sessions are lent per transaction again. */
    public void sharingSessions() {
        keepsSessions = false;
    }

    boolean rewritesNames() {
        return rewritesNames;
    }

    boolean refusesOptions() {
        return refusesOptions;
    }

    boolean keepsSessions() {
        return keepsSessions;
    }

    /** This URL, through the pooler. */
    public String through(String url) {
        return url.replace(":" + target + "/", ":" + listener.port() + "/");
    }

    /** Waits for a session and lends it. */
    PooledSession take(String user, String database) throws IOException, InterruptedException {
        PooledSession session = idle.pollFirst();
        if (session != null) {
            return session;
        }
        if (opened.incrementAndGet() <= size) {
            return new PooledSession(target, user, database);
        }
        opened.decrementAndGet();
        return idle.takeFirst();
    }

    void giveBack(PooledSession session) {
        if (rotates) {
            idle.addLast(session);
        } else {
            idle.addFirst(session);
        }
    }

    /** Removes a session that cannot be lent again. */
    void end(PooledSession session) {
        opened.decrementAndGet();
        Listener.close(session.socket);
    }

    @Override
    public void close() {
        listener.close();
        idle.forEach(session -> Listener.close(session.socket));
    }
}
