package io.pgstress.plan;

/** The kind of thread that runs a client. */
public enum ClientThreads {
    /** The fastest for this number of clients on this JVM: see docs/dev/performance.md. */
    AUTO,
    /** One operating system thread per client. */
    PLATFORM,
    /**
     * Virtual threads on the JDK's scheduler: JDK 21 and newer, best from 24 on, where {@code synchronized} does not pin them.
     */
    VIRTUAL,
    /** Virtual threads on our own event loops, one per core, which wait for the sockets: JDK 24 and 25. */
    LOOP
}
