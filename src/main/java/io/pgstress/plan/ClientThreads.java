package io.pgstress.plan;

/** Which kind of thread runs a client. */
public enum ClientThreads {
    /** Virtual where they do not pin (JDK 24 and newer) and clients are many more than cores, else platform. */
    AUTO,
    PLATFORM,
    VIRTUAL
}
