package io.pgstress.result;

/** What the clients' sockets carried during the measurement, without cancel requests; ciphertext under TLS. */
public record Network(double inMbitPerSecond, double outMbitPerSecond, long bytesIn, long bytesOut) {}
