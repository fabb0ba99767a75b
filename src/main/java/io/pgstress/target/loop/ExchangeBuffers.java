package io.pgstress.target.loop;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Memory that the kernel reads and writes for one connection. Allocated when it is first used. One thread at a time. */
final class ExchangeBuffers {
    /** The size of the driver's own buffers. A longer message is sent and received in parts, by the thread itself. */
    static final int BYTES = 8192;

    private @Nullable ByteBuffer both;

    /** What is sent. */
    ByteBuffer sent() {
        return both().slice(0, BYTES);
    }

    /** What is received. */
    ByteBuffer received() {
        return both().slice(BYTES, BYTES);
    }

    private ByteBuffer both() {
        ByteBuffer found = both;
        if (found == null) {
            found = ByteBuffer.allocateDirect(2 * BYTES);
            both = found;
        }
        return found;
    }
}
