package io.pgstress.target.driver;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/** A factory for pgjdbc, which creates its sockets unconnected; the other ways fail. */
public abstract class UnconnectedSockets extends SocketFactory {
    @Override
    public abstract Socket createSocket() throws IOException;

    @Override
    public final Socket createSocket(String host, int port) throws IOException {
        throw notCalled();
    }

    @Override
    public final Socket createSocket(String host, int port, InetAddress local, int localPort) throws IOException {
        throw notCalled();
    }

    @Override
    public final Socket createSocket(InetAddress host, int port) throws IOException {
        throw notCalled();
    }

    @Override
    public final Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) throws IOException {
        throw notCalled();
    }

    private static IOException notCalled() {
        return new IOException("pgjdbc makes its sockets unconnected");
    }
}
