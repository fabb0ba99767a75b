package io.pgstress.target.loop;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An io_uring that sends and receives for all sockets of a loop with one call per turn. It also watches a selector, which does
 * everything else: other channels, connecting, what is too long for a connection's buffer, threads that are on no loop, and {@link #wake}.
 *
 * <p>While a connection is idle, the ring holds nothing of it, so that another thread, on another loop or none, can go on with it. Only
 * a receive that a thread waits for is under way, and what was sent last, if the connection is full.
 *
 * <p>A request names a socket by its number, which the system gives to the next file once the socket is closed. A closed channel keeps
 * its number until each selector it is registered with has let go of it, which happens in {@link #select} only, and before that all
 * requests are handed over. From then on the kernel knows the socket itself.
 */
final class RingPolling implements Polling {
    /** Sockets of a loop that the ring serves; the selector serves any more. */
    private static final int MAX_CONNECTIONS = 2000;

    /** Completions that may wait to be read; not more than 4 of a connection can. */
    private static final int COMPLETIONS = 8192;

    /** After this many answers the requests are handed over, even if the turn goes on, so that the server need not wait for it. */
    private static final int MAX_UNSENT = 16;

    /** The data of the request that watches the selector. */
    private static final long SELECTOR = -1;

    /** Where the JDK keeps the numbers of files; null if it does not, or does not permit us to read them. */
    private static final @Nullable FileNumbers NUMBERS = FileNumbers.find();

    private static final boolean IS_AVAILABLE = NUMBERS != null && Uring.works();

    private final SelectorPolling selecting;
    private final TurnWaits waits;
    private final int selector;
    private final Uring ring;
    private final @Nullable Connection[] connections = new Connection[MAX_CONNECTIONS];

    /** Places in the array above that are free, the first {@link #free} ones. */
    private final int[] places = new int[MAX_CONNECTIONS];

    private int free = MAX_CONNECTIONS;

    /** Whose receives are to be requested; the first {@link #waiting} ones. */
    private Connection[] receivers = new Connection[16];

    private int waiting;
    /** Messages that are to be handed over. */
    private int unsent;

    /** When the first of them was sent. */
    private long sentSince;

    private boolean isWatching;
    private boolean isChanged;

    /** @throws IOException if there cannot be another ring */
    private RingPolling(FileNumbers numbers, SelectorPolling selecting, TurnWaits waits) throws IOException {
        this.selecting = selecting;
        this.waits = waits;
        this.selector = numbers.of(selecting.selector());
        this.ring = new Uring(COMPLETIONS);
        Arrays.setAll(places, i -> MAX_CONNECTIONS - 1 - i);
    }

    /** Whether this system has them. */
    static boolean isAvailable() {
        return IS_AVAILABLE;
    }

    /**
     * A ring, or a selector where there is none.
     *
     * @param ready called for each key of a channel that is ready
     * @param waits counts how long messages wait until they are handed over
     */
    static Polling open(Consumer<SelectionKey> ready, TurnWaits waits) throws IOException {
        SelectorPolling selecting = new SelectorPolling(ready);
        if (NUMBERS == null || !IS_AVAILABLE) {
            return selecting;
        }
        try {
            return new RingPolling(NUMBERS, selecting, waits);
        } catch (IOException e) {
            return selecting; // too many rings, for example: they need locked memory in some systems
        }
    }

    @Override
    public String name() {
        return "io_uring";
    }

    @Override
    public void begin() throws IOException {
        ring.begin();
    }

    @Override
    public SelectionKey register(SelectableChannel channel, Object attachment) throws IOException {
        return selecting.register(channel, attachment);
    }

    @Override
    public @Nullable Exchange exchange(SelectableChannel channel, ExchangeBuffers buffers) {
        if (NUMBERS == null || free == 0 || !(channel instanceof SocketChannel)) {
            return null;
        }
        Connection made = new Connection(places[--free], channel, NUMBERS.of(channel), buffers);
        connections[made.place] = made;
        return made;
    }

    @Override
    public void changed() {
        isChanged = true;
    }

    @Override
    public void refresh() throws IOException {
        if (isChanged) {
            isChanged = false;
            select();
        }
    }

    private void select() throws IOException {
        submit();
        selecting.poll(false);
    }

    private void submit() throws IOException {
        requestReceives();
        messagesLeave();
        ring.submit();
    }

    private void messagesLeave() {
        if (unsent > 0) {
            waits.leave(unsent, sentSince);
            unsent = 0;
        }
    }

    private void requestReceives() throws IOException {
        for (int i = 0; i < waiting; i++) {
            receivers[i].requestReceive();
        }
        waiting = 0;
    }

    @Override
    public void poll(boolean mayWait) throws IOException {
        if (!isWatching) {
            isWatching = true;
            ring.watch(selector, SELECTOR);
        }
        requestReceives();
        messagesLeave();
        ring.enter(mayWait);
        if (completes()) {
            select();
        }
    }

    /** Takes what has completed; returns whether something is for the selector. */
    private boolean completes() throws IOException {
        while (ring.next()) {
            long data = ring.data();
            if (data == SELECTOR) {
                isWatching = false;
            } else {
                Connection of = connections[(int) (data >>> Connection.KIND_BITS)];
                if (of != null) {
                    of.completed((int) data & Connection.KINDS, ring.result());
                }
            }
        }
        return !isWatching;
    }

    /** The selector's wake-up makes it readable, which the ring sees. */
    @Override
    public void wake() {
        selecting.wake();
    }

    /** Returns when the kernel has let go of all memory. */
    @Override
    public void close() throws IOException {
        try (selecting;
                ring) {
            for (Connection each : connections) {
                if (each != null) {
                    each.close();
                }
            }
            while (free < MAX_CONNECTIONS) {
                ring.enter(true);
                completes();
            }
        }
    }

    /** A socket at this ring. */
    private final class Connection implements Exchange {
        static final int KIND_BITS = 2;
        static final int KINDS = (1 << KIND_BITS) - 1;
        private static final int RECEIVE = 0;
        private static final int SEND = 1;
        private static final int REST = 2;
        private static final int END = 3;

        private final int place;
        private final SelectableChannel channel;
        private final int socket;
        private final ByteBuffer sent;
        private final ByteBuffer received;
        private final long sentAddress;
        private final long receivedAddress;

        /** What was sent last. */
        private int sentBytes;

        /** The ring's mark after that. */
        private long sentMark;

        /** Whether a part of it waits until the connection takes it. */
        private boolean isRestUnderWay;

        private @Nullable Thread receiver;
        private int wanted;
        private boolean isToRequest;
        private boolean isUnderWay;
        private boolean hasReceived;
        private int result;

        /** Requests to end others. */
        private int ends;

        /** The number of a failure to send, after which the connection is of no more use; 0: none. */
        private int failure;

        private boolean isClosed;

        Connection(int place, SelectableChannel channel, int socket, ExchangeBuffers buffers) {
            this.place = place;
            this.channel = channel;
            this.socket = socket;
            this.sent = buffers.sent();
            this.received = buffers.received();
            this.sentAddress = SystemCalls.address(sent);
            this.receivedAddress = SystemCalls.address(received);
        }

        private long data(int kind) {
            return (long) place << KIND_BITS | kind;
        }

        @Override
        public boolean send(ByteBuffer from) throws IOException {
            if (from.remaining() > ExchangeBuffers.BYTES || isUnsent() || !isUsable()) {
                return false;
            }
            sentBytes = from.remaining();
            sent.clear().put(from);
            ring.sendAtOnce(socket, sentAddress, sentBytes, data(SEND));
            sentMark = ring.mark();
            if (unsent++ == 0) {
                sentSince = System.nanoTime();
            }
            if (unsent >= MAX_UNSENT) {
                messagesLeave();
                ring.submit();
            }
            return true;
        }

        private boolean isUsable() {
            return failure == 0 && !isClosed && channel.isOpen();
        }

        @Override
        public boolean isUnsent() {
            return isRestUnderWay || !ring.hasTaken(sentMark);
        }

        @Override
        public void flush() throws IOException {
            if (!ring.isClosed()) {
                submit();
                completes(); // if the selector is ready as well, the next poll watches it again
            }
        }

        @Override
        public void receive(Thread thread, int bytes) throws IOException {
            hasReceived = false;
            if (!isUsable()) {
                throw failed(failure);
            }
            receiver = thread;
            wanted = Math.min(bytes, ExchangeBuffers.BYTES);
            isToRequest = true;
            if (waiting == receivers.length) {
                receivers = Arrays.copyOf(receivers, 2 * waiting);
            }
            receivers[waiting++] = this;
        }

        private void requestReceive() throws IOException {
            if (isToRequest) {
                isToRequest = false;
                isUnderWay = true;
                ring.receive(socket, receivedAddress, wanted, data(RECEIVE));
            }
        }

        @Override
        public boolean hasReceived() {
            return hasReceived || failure != 0;
        }

        @Override
        public void cancel() throws IOException {
            if (isToRequest) {
                isToRequest = false;
                received(-SystemCalls.CANCELLED);
            } else if (isUnderWay) {
                end(RECEIVE);
            }
        }

        private void end(int kind) throws IOException {
            ends++;
            ring.cancel(data(kind), data(END));
        }

        private void received(int found) {
            result = found;
            hasReceived = true;
            LockSupport.unpark(receiver);
            receiver = null;
        }

        @Override
        public int take(ByteBuffer to) throws IOException {
            if (!isUsable()) {
                throw failed(failure);
            }
            if (result < 0) {
                if (result == -SystemCalls.CANCELLED) {
                    throw new SocketTimeoutException("Read timed out");
                }
                throw failed(-result);
            }
            to.put(received.clear().limit(result));
            return result == 0 ? -1 : result;
        }

        private SocketException failed(int number) {
            return new SocketException(
                    number == 0
                            ? "Socket closed"
                            : number == SystemCalls.RESET
                                    ? "Connection reset"
                                    : "the connection failed with error " + number + " of the system");
        }

        /** Called for each completion of one of its requests. */
        private void completed(int kind, int found) throws IOException {
            switch (kind) {
                case RECEIVE -> receiveCompleted(found);
                case SEND -> sendFailed(found);
                case REST -> {
                    isRestUnderWay = false;
                    if (found < 0 && !isClosed) {
                        fail(-found);
                    }
                }
                default -> ends--;
            }
            freeIfOver();
        }

        private void receiveCompleted(int found) throws IOException {
            isUnderWay = false;
            if (isTransient(found) && !isClosed) {
                isUnderWay = true;
                ring.receive(socket, receivedAddress, wanted, data(RECEIVE));
            } else {
                received(found);
            }
        }

        private static boolean isTransient(int found) {
            return found == -SystemCalls.WOULD_BLOCK || found == -SystemCalls.INTERRUPTED;
        }

        /** The connection took nothing or a part, or failed. */
        private void sendFailed(int found) throws IOException {
            if (found < 0 && !isTransient(found)) {
                fail(-found);
            } else if (!isClosed) {
                int done = Math.max(0, found);
                isRestUnderWay = true;
                ring.send(socket, sentAddress + done, sentBytes - done, data(REST));
            }
        }

        private void fail(int number) {
            failure = number;
            LockSupport.unpark(receiver);
        }

        @Override
        public void close() throws IOException {
            if (isClosed || ring.isClosed()) {
                return;
            }
            submit();
            completes();
            isClosed = true;
            cancel();
            if (isRestUnderWay) {
                end(REST);
            }
            ring.submit();
            freeIfOver();
        }

        private void freeIfOver() {
            if (isClosed && !isUnderWay && !isRestUnderWay && ends == 0) {
                connections[place] = null;
                places[free++] = place;
            }
        }
    }

    /** The numbers by which the system knows the files of channels and selectors. */
    private record FileNumbers(Method ofChannel, Field ofSelector) {
        static @Nullable FileNumbers find() {
            try {
                Method ofChannel = Class.forName("sun.nio.ch.SelChImpl").getMethod("getFDVal");
                Field ofSelector = Class.forName("sun.nio.ch.EPollSelectorImpl").getDeclaredField("epfd");
                ofChannel.setAccessible(true);
                ofSelector.setAccessible(true);
                return new FileNumbers(ofChannel, ofSelector);
            } catch (ReflectiveOperationException | InaccessibleObjectException e) {
                return null; // another system or JDK, or not opened by the jar's manifest
            }
        }

        int of(SelectableChannel channel) {
            try {
                return (int) ofChannel.invoke(channel);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("not a channel of the JDK", e);
            }
        }

        int of(Selector selector) throws IOException {
            try {
                return ofSelector.getInt(selector);
            } catch (ReflectiveOperationException | IllegalArgumentException e) {
                throw new IOException("not a selector of the JDK", e);
            }
        }
    }
}
