package io.pgstress.target.loop;

import java.io.Closeable;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * An io_uring of Linux: a queue of requests to the kernel, and one of their completions, in memory that both share. Any number of
 * requests takes one system call, which also waits. All completions happen within that call ({@code IORING_SETUP_DEFER_TASKRUN},
 * Linux 6.1), so that nothing interrupts the thread in between. Belongs to the thread that calls {@link #begin}.
 *
 * <p>Numbers and layouts are those of {@code linux/io_uring.h}; see io_uring(7).
 */
final class Uring implements Closeable {
    /** Requests that are kept until they are handed over. */
    private static final int REQUESTS = 256;

    private static final int SETUP = 425;
    private static final int ENTER = 426;
    private static final int REGISTER = 427;

    /**
     * The flags of the set-up: CQSIZE, CLAMP, R_DISABLED (another thread begins), SUBMIT_ALL (a bad request does not hold up later
     * ones), SINGLE_ISSUER, DEFER_TASKRUN.
     */
    private static final int FLAGS = 1 << 3 | 1 << 4 | 1 << 6 | 1 << 7 | 1 << 12 | 1 << 13;

    /** IORING_FEAT_SINGLE_MMAP and IORING_FEAT_NODROP, as in every kernel with the flags above. */
    private static final int FEATURES = 1 | 1 << 1;

    private static final int ENABLE = 12;
    private static final int GET_EVENTS = 1;
    private static final long REQUESTS_AT = 0x10000000L;
    private static final int REQUEST_BYTES = 64;
    private static final int COMPLETION_BYTES = 16;

    private static final int NOTHING = 0;
    private static final int POLL = 6;
    private static final int CANCEL = 14;
    private static final int SEND = 26;
    private static final int RECEIVE = 27;

    /** IOSQE_CQE_SKIP_SUCCESS. */
    private static final int NO_COMPLETION = 1 << 6;

    /** IORING_RECVSEND_POLL_FIRST: no try before, because there is rarely something. */
    private static final int POLL_FIRST = 1;

    private static final int POLL_IN = 1;

    /** MSG_DONTWAIT. */
    private static final int AT_ONCE = 0x40;

    /** MSG_WAITALL and MSG_NOSIGNAL. */
    private static final int WHOLE = 0x100 | 0x4000;

    /** Failures in a row after which a system call is given up. */
    private static final int MAX_FAILURES = 1000;

    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private final SystemCalls.Errno errno = new SystemCalls.Errno();
    private final long file;
    private final ByteBuffer rings;
    private final ByteBuffer requests;
    private final int entries;
    private final int requestHeadAt;
    private final int requestTailAt;
    private final int requestMask;
    private final int completionHeadAt;
    private final int completionTailAt;
    private final int completionMask;
    private final int completionsAt;

    /** Requests so far, and how many of them the kernel has taken. */
    private long queued;

    private long taken;

    private int completionHead;
    private int completionTail;
    private int completionAt;
    private int failures;
    private boolean isClosed;

    /**
     * @param completions how many may wait to be read; the kernel keeps more elsewhere
     * @throws IOException if this system has no such io_uring, or permits none
     */
    Uring(int completions) throws IOException {
        ByteBuffer parameters = ByteBuffer.allocateDirect(120).order(ByteOrder.nativeOrder());
        parameters.putInt(4, completions).putInt(8, FLAGS);
        file = SystemCalls.call(errno, SETUP, REQUESTS, SystemCalls.address(parameters), 0, 0, 0, 0);
        if (file < 0) {
            throw failure("io_uring_setup");
        }
        try {
            if ((parameters.getInt(20) & FEATURES) != FEATURES) {
                throw new IOException("io_uring of an old kernel");
            }
            entries = parameters.getInt(0);
            int requestEnd = parameters.getInt(64) + entries * Integer.BYTES;
            completionsAt = parameters.getInt(100);
            rings = SystemCalls.map(
                    file, 0, Math.max(requestEnd, completionsAt + parameters.getInt(4) * COMPLETION_BYTES));
            requests = SystemCalls.map(file, REQUESTS_AT, (long) entries * REQUEST_BYTES);
        } catch (IOException | RuntimeException | Error e) {
            SystemCalls.close(file);
            throw e;
        }
        requestHeadAt = parameters.getInt(40);
        requestTailAt = parameters.getInt(44);
        requestMask = rings.getInt(parameters.getInt(48));
        for (int i = 0; i < entries; i++) {
            rings.putInt(parameters.getInt(64) + i * Integer.BYTES, i);
        }
        completionHeadAt = parameters.getInt(80);
        completionTailAt = parameters.getInt(84);
        completionMask = rings.getInt(parameters.getInt(88));
    }

    /** Whether this system has an io_uring that works, tried by the calling thread. */
    static boolean works() {
        if (!SystemCalls.areAvailable()) {
            return false;
        }
        try (Uring tried = new Uring(2 * REQUESTS)) {
            tried.begin();
            tried.request(NOTHING, 0, 0, 0, 0, 0, 0, REQUESTS);
            tried.enter(true);
            return tried.next() && tried.data() == REQUESTS && tried.result() == 0;
        } catch (IOException e) {
            return false; // an older kernel, or not permitted, as in many containers
        }
    }

    /** Gives the ring to the calling thread. */
    void begin() throws IOException {
        if (SystemCalls.call(errno, REGISTER, file, ENABLE, 0, 0, 0, 0) < 0) {
            throw failure("io_uring_register");
        }
    }

    private IOException failure(String call) {
        return new IOException(call + " failed with error " + errno.number());
    }

    /** How many requests there have been: a mark for {@link #hasTaken}. */
    long mark() {
        return queued;
    }

    /** Whether the kernel has taken all requests that were made before {@link #mark}. */
    boolean hasTaken(long mark) {
        return taken - mark >= 0;
    }

    /** Requests whether a file can be read, once. */
    void watch(int of, long data) throws IOException {
        request(POLL, 0, 0, of, 0, 0, POLL_IN, data);
    }

    /** Requests what has arrived at a socket, or arrives next. */
    void receive(int socket, long address, int bytes, long data) throws IOException {
        request(RECEIVE, 0, POLL_FIRST, socket, address, bytes, 0, data);
    }

    /** Requests to send at once. This is over when the request is taken, and completes only if not everything could be sent. */
    void sendAtOnce(int socket, long address, int bytes, long data) throws IOException {
        request(SEND, NO_COMPLETION, 0, socket, address, bytes, WHOLE | AT_ONCE, data);
    }

    /** Requests to send as soon as the connection takes it. */
    void send(int socket, long address, int bytes, long data) throws IOException {
        request(SEND, 0, 0, socket, address, bytes, WHOLE, data);
    }

    /** Requests the end of the requests with this data. */
    void cancel(long other, long data) throws IOException {
        request(CANCEL, 0, 0, -1, other, 0, 0, data);
    }

    private void request(int operation, int flags, int priority, int of, long address, int bytes, int more, long data)
            throws IOException {
        for (int tries = 0; queued - taken == entries; tries++) {
            if (tries == MAX_FAILURES) {
                throw failure("io_uring_enter");
            }
            submit();
        }
        int at = ((int) queued & requestMask) * REQUEST_BYTES; // what is not set here is always 0
        requests.putLong(at, operation | flags << 8 | (long) priority << 16 | (long) of << 32);
        requests.putLong(at + 16, address);
        requests.putLong(at + 24, bytes | (long) more << 32);
        requests.putLong(at + 32, data);
        queued++;
    }

    /** Hands all requests to the kernel. */
    void submit() throws IOException {
        if (queued != taken) {
            call(0, 0);
        }
    }

    /**
     * Hands all requests to the kernel, and lets it complete what it can.
     *
     * @param waits whether to wait for a completion if there is none
     */
    void enter(boolean waits) throws IOException {
        call(waits ? 1 : 0, GET_EVENTS);
    }

    private void call(int least, int flags) throws IOException {
        INT.setRelease(rings, requestTailAt, (int) queued);
        if (SystemCalls.call(errno, ENTER, file, queued - taken, least, flags, 0, 0) >= 0) {
            failures = 0;
        } else if (errno.number() != SystemCalls.INTERRUPTED && ++failures >= MAX_FAILURES) {
            throw failure("io_uring_enter");
        }
        taken += (int) INT.getAcquire(rings, requestHeadAt) - (int) taken;
    }

    /** Goes to the next completion; returns false if there is none. */
    boolean next() {
        if (completionHead == completionTail) {
            completionTail = (int) INT.getAcquire(rings, completionTailAt);
            if (completionHead == completionTail) {
                INT.setRelease(rings, completionHeadAt, completionHead);
                return false;
            }
        }
        completionAt = completionsAt + (completionHead & completionMask) * COMPLETION_BYTES;
        completionHead++;
        return true;
    }

    /** The data of the current completion's request. */
    long data() {
        return rings.getLong(completionAt);
    }

    /** The current completion's result; a failure is the negative of its number. */
    int result() {
        return rings.getInt(completionAt + 8);
    }

    boolean isClosed() {
        return isClosed;
    }

    /** The kernel ends the requests that have not completed; it must not write to the caller's memory any more when this is called. */
    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            SystemCalls.unmap(requests);
            SystemCalls.unmap(rings);
            SystemCalls.close(file);
        }
    }
}
