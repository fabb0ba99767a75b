package io.pgstress.target.driver;

import java.util.concurrent.atomic.LongAdder;

/** Counts the bytes of one endpoint's sockets. Thread-safe. */
public final class ByteCounter {
    private final LongAdder in = new LongAdder();
    private final LongAdder out = new LongAdder();

    void in(long bytes) {
        in.add(bytes);
    }

    void out(long bytes) {
        out.add(bytes);
    }

    /** Bytes received so far. */
    public long bytesIn() {
        return in.sum();
    }

    /** Bytes sent so far. */
    public long bytesOut() {
        return out.sum();
    }
}
