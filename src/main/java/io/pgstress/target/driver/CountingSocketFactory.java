package io.pgstress.target.driver;

import io.pgstress.plan.Endpoint;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.postgresql.PGProperty;

/**
 * Creates sockets to a server's TCP port or Unix socket, whose bytes are counted by a {@link ByteCounter}. pgjdbc creates the factory itself and passes it one string,
 * which is a key of a registry: the only static state of the project. Under TLS the ciphertext is counted. A
 * socket that carries a cancel request never reaches {@code getInputStream} and counts next to nothing.
 */
public final class CountingSocketFactory extends UnconnectedSockets {
    private static final ConcurrentMap<String, Registered> REGISTERED = new ConcurrentHashMap<>();
    private static final AtomicLong NEXT = new AtomicLong();

    private final Registered registered;

    /** @param file the file of the Unix socket to connect to; empty for TCP */
    private record Registered(ByteCounter counter, String file) {}

    /** Called by pgjdbc with its {@code socketFactoryArg}. */
    public CountingSocketFactory(String key) {
        Registered known = REGISTERED.get(key);
        this.registered = known == null ? new Registered(new ByteCounter(), "") : known;
    }

    /** Has these properties create sockets to the endpoint whose bytes are counted. */
    static void use(Properties properties, Endpoint endpoint, ByteCounter counter) {
        String key = "counter-" + NEXT.incrementAndGet();
        REGISTERED.put(key, new Registered(counter, endpoint.socketFile()));
        PGProperty.SOCKET_FACTORY.set(properties, CountingSocketFactory.class.getName());
        PGProperty.SOCKET_FACTORY_ARG.set(properties, key);
    }

    @Override
    public Socket createSocket() throws IOException {
        return new CountingSocket(
                registered.file.isEmpty()
                        ? new ChannelSocket(SocketChannel.open(), registered.counter)
                        : new UnixSocket(Path.of(registered.file), registered.counter));
    }

    static final class CountingSocket extends Socket {
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
