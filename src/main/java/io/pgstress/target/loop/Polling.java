package io.pgstress.target.loop;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** How a loop waits for all its channels with one call. Belongs to the loop's thread, with its virtual threads, except {@link #wake}. */
interface Polling extends Closeable {
    /** Opens one for a new loop. */
    @FunctionalInterface
    interface Opener {
        /**
         * Opens it.
         *
         * @param ready called by {@link #poll} for each key whose channel is ready
         * @param waits counts the waits of the loop's threads
         */
        Polling open(Consumer<SelectionKey> ready, TurnWaits waits) throws IOException;
    }

    /** What results call it. */
    String name();

    /** Called first by the loop's thread. */
    void begin() throws IOException;

    /** Registers a non-blocking channel; nothing is awaited yet. */
    SelectionKey register(SelectableChannel channel, Object attachment) throws IOException;

    /**
     * What sends and receives for a channel; null if the threads that use it do so themselves once it is ready.
     *
     * @param buffers the channel's; one exchange at a time uses them
     */
    @Nullable
    Exchange exchange(SelectableChannel channel, ExchangeBuffers buffers);

    /** Called after a key was changed by {@link EventLoop#change}. */
    void changed();

    /** Takes changes into account. Called before each decision whether to wait. */
    void refresh() throws IOException;

    /** Tells threads what they wait for. */
    void poll(boolean waits) throws IOException;

    /** Ends a wait; for any thread. */
    void wake();

    /** Sends and receives for the thread that uses a channel. */
    interface Exchange {
        /** Sends these bytes in this turn of the loop; returns false, and takes none of them, if the thread has to. */
        boolean send(ByteBuffer from) throws IOException;

        /** Whether something that was given to {@link #send} may not have been sent. Any thread may ask. */
        boolean isUnsent();

        /** Sends now what has not been sent. It may still be under way, if the connection is full: {@link #isUnsent}. */
        void flush() throws IOException;

        /** Begins to receive up to this number of bytes for a thread, which is woken when some have arrived. */
        void receive(Thread receiver, int bytes) throws IOException;

        /** Whether this is over. */
        boolean hasReceived();

        /** Ends it, soon and unless something has arrived. */
        void cancel() throws IOException;

        /**
         * What was received.
         *
         * @return number of bytes; -1 at the end of the stream
         * @throws java.net.SocketTimeoutException if it was cancelled
         */
        int take(ByteBuffer to) throws IOException;

        /** Sends what has not been sent, and ends everything else, before the channel is closed. */
        void close() throws IOException;
    }
}
