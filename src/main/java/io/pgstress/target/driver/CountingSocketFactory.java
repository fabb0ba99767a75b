package io.pgstress.target.driver;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.SocketFactory;

/**
 * Creates sockets whose bytes are counted by a {@link ByteCounter}. pgjdbc creates the factory itself and passes it one string,
 * which is a key of a registry: the only static state of the project. Under TLS the ciphertext is counted. A
 * socket that carries a cancel request never reaches {@code getInputStream} and counts next to nothing.
 */
public final class CountingSocketFactory extends SocketFactory {
    private static final ConcurrentMap<String, ByteCounter> COUNTERS = new ConcurrentHashMap<>();
    private static final AtomicLong NEXT = new AtomicLong();

    private final ByteCounter counter;

    /** Called by pgjdbc with its {@code socketFactoryArg}. */
    public CountingSocketFactory(String key) {
        ByteCounter known = COUNTERS.get(key);
        this.counter = known == null ? new ByteCounter() : known;
    }

    /** Registers a counter; the key goes into {@code socketFactoryArg}. */
    static String register(ByteCounter counter) {
        String key = "counter-" + NEXT.incrementAndGet();
        COUNTERS.put(key, counter);
        return key;
    }

    @Override
    public Socket createSocket() throws IOException {
        return new CountingSocket(new ChannelSocket(counter));
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        throw new IOException("pgjdbc makes its sockets unconnected");
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort) throws IOException {
        throw new IOException("pgjdbc makes its sockets unconnected");
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        throw new IOException("pgjdbc makes its sockets unconnected");
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) throws IOException {
        throw new IOException("pgjdbc makes its sockets unconnected");
    }

    private static final class CountingSocket extends Socket {
        private final ChannelSocket channel;

        CountingSocket(ChannelSocket channel) throws IOException {
            super(channel);
            this.channel = channel;
        }

        /** The channel's own streams: the JDK's wrappers would add some calls to each answer. */
        @Override
        public InputStream getInputStream() throws IOException {
            return channel.getInputStream();
        }

        @Override
        public OutputStream getOutputStream() throws IOException {
            return channel.getOutputStream();
        }
    }
}
