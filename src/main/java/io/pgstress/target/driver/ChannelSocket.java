package io.pgstress.target.driver;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOptions;
import java.nio.channels.SocketChannel;

/**
 * A client's blocking socket. The JDK's own becomes non-blocking for good with its first timed connect or read, and pgjdbc does
 * both while it connects (connect timeout, answer about TLS): from then on a platform thread needs two more system calls for
 * each answer, a failed read and a poll. A channel's socket blocks again after each timeout. For virtual threads both are
 * non-blocking; those of an event loop wait by it: {@link ChannelStreams}.
 */
final class ChannelSocket extends SocketImpl {
    private final Socket socket;
    private final ChannelStreams streams;

    /** @param counter counts the socket's bytes */
    ChannelSocket(ByteCounter counter) throws IOException {
        this(SocketChannel.open(), counter);
    }

    private ChannelSocket(SocketChannel channel, ByteCounter counter) {
        this(channel, channel.socket(), counter);
    }

    /** @param socket reads from and writes to the channel while it blocks */
    ChannelSocket(SocketChannel channel, Socket socket, ByteCounter counter) {
        this.socket = socket;
        this.streams = new ChannelStreams(channel, socket, counter);
    }

    @Override
    protected void create(boolean stream) {
        // set already
    }

    @Override
    protected void connect(String host, int toPort) throws IOException {
        connect(new InetSocketAddress(host, toPort), 0);
    }

    @Override
    protected void connect(InetAddress host, int toPort) throws IOException {
        connect(new InetSocketAddress(host, toPort), 0);
    }

    @Override
    protected void connect(SocketAddress to, int timeout) throws IOException {
        streams.connect(to, timeout);
        address = socket.getInetAddress();
        port = socket.getPort();
        localport = socket.getLocalPort();
    }

    @Override
    protected void bind(InetAddress host, int toPort) throws IOException {
        socket.bind(new InetSocketAddress(host, toPort));
        localport = socket.getLocalPort();
    }

    @Override
    protected void listen(int backlog) throws IOException {
        throw new SocketException("a client's socket does not listen");
    }

    @Override
    protected void accept(SocketImpl accepted) throws IOException {
        throw new SocketException("a client's socket does not accept");
    }

    @Override
    protected InputStream getInputStream() throws IOException {
        return streams.in();
    }

    @Override
    protected OutputStream getOutputStream() throws IOException {
        return streams.out();
    }

    @Override
    protected int available() throws IOException {
        return socket.getInputStream().available();
    }

    @Override
    protected void close() throws IOException {
        try {
            socket.close();
        } finally {
            streams.closed();
        }
    }

    @Override
    protected void shutdownInput() throws IOException {
        socket.shutdownInput();
    }

    @Override
    protected void shutdownOutput() throws IOException {
        socket.shutdownOutput();
    }

    @Override
    protected void sendUrgentData(int data) throws IOException {
        socket.sendUrgentData(data);
    }

    @Override
    public void setOption(int option, Object value) throws SocketException {
        switch (option) {
            case SocketOptions.SO_TIMEOUT -> socket.setSoTimeout((Integer) value);
            case SocketOptions.TCP_NODELAY -> socket.setTcpNoDelay((Boolean) value);
            case SocketOptions.SO_KEEPALIVE -> socket.setKeepAlive((Boolean) value);
            case SocketOptions.SO_SNDBUF -> socket.setSendBufferSize((Integer) value);
            case SocketOptions.SO_RCVBUF -> socket.setReceiveBufferSize((Integer) value);
            case SocketOptions.SO_LINGER -> {
                int seconds = value instanceof Integer given ? given : -1; // false: off
                socket.setSoLinger(seconds >= 0, Math.max(0, seconds));
            }
            default -> throw new SocketException("not an option of a client's socket: " + option);
        }
    }

    @Override
    public Object getOption(int option) throws SocketException {
        return switch (option) {
            case SocketOptions.SO_TIMEOUT -> socket.getSoTimeout();
            case SocketOptions.TCP_NODELAY -> socket.getTcpNoDelay();
            case SocketOptions.SO_KEEPALIVE -> socket.getKeepAlive();
            case SocketOptions.SO_SNDBUF -> socket.getSendBufferSize();
            case SocketOptions.SO_RCVBUF -> socket.getReceiveBufferSize();
            case SocketOptions.SO_LINGER -> socket.getSoLinger();
            case SocketOptions.SO_BINDADDR -> socket.getLocalAddress();
            default -> throw new SocketException("not an option of a client's socket: " + option);
        };
    }
}
