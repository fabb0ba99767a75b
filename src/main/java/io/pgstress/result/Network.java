package io.pgstress.result;

/**
 * The traffic of the clients' sockets during the measurement, without cancel requests; with TLS, that of the encrypted data.
 */
public record Network(double inMbitPerSecond, double outMbitPerSecond, long bytesIn, long bytesOut) {
    /** No traffic. */
    public static final Network NONE = new Network(0, 0, 0, 0);
}
