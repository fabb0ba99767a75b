package io.pgstress.testing.truth;

/**
 * A statement that the server answered, by the server's own {@link System#nanoTime}.
 *
 * @param received read right after the statement's last byte
 * @param answered read right before the answer's first byte, so that no client can have seen a shorter time
 */
public record Served(long received, long answered) {
    /** The service time. */
    public long nanos() {
        return answered - received;
    }
}
