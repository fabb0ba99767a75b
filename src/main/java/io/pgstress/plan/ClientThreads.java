package io.pgstress.plan;

/** Which kind of thread runs a client. */
public enum ClientThreads {
    /** The fastest for this number of clients on this JVM: see docs/performance.md. */
    AUTO,
    /** A thread of the system for each client. */
    PLATFORM,
    /** Virtual threads on the JDK's scheduler: JDK 21 and newer, best from 24 on, where they do not pin. */
    VIRTUAL,
    /** Virtual threads on event loops of ours, one a core, which wait for the sockets themselves: JDK 24 and 25. */
    LOOP
}
