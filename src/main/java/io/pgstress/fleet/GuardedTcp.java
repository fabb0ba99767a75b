package io.pgstress.fleet;

import java.io.DataInput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jgroups.Address;
import org.jgroups.blocks.cs.Connection;
import org.jgroups.protocols.TCP;
import org.jgroups.stack.DiagnosticsHandler;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.ByteArrayDataInputStream;
import org.jgroups.util.DefaultSocketFactory;
import org.jgroups.util.Util;
import org.jspecify.annotations.Nullable;

/**
 * JGroups' TCP transport, hardened against peers that send garbage or nothing. A frame is read as a whole, up to a limit, before
 * it is parsed; JGroups would parse it from the socket and allocate any size that it reads. A handshake ends after some time;
 * JGroups would wait forever for a frozen process whose kernel still accepts connections.
 */
final class GuardedTcp extends TCP {
    /** Maximum length of a frame in bytes. A frame is a fragment of a message with headers; the longest header lists all members. */
    static final int MAX_FRAME = 1 << 20;

    private static final int HANDSHAKE_MILLIS = 2000;

    /** Version and flags; the rest of a frame is in the format that the flags name. */
    private static final int FRAME_HEAD = 3;

    private static final int FLAGS_AT = 2;
    private static final int IS_LIST = 1;

    /** Sockets to others that may still be in the handshake. */
    private final Set<Socket> handshakes = ConcurrentHashMap.newKeySet();

    GuardedTcp(@Nullable SSLContext tls) {
        setMaxLength(MAX_FRAME);
        if (tls != null) {
            DefaultSocketFactory sockets = new DefaultSocketFactory(tls) {
                @Override
                public ServerSocket createServerSocket(String service) throws IOException {
                    return new TlsServerSocket(tls, HANDSHAKE_MILLIS);
                }
            };
            sockets.setSocketConfigurator(this::limitHandshake);
            setSocketFactory(sockets);
        }
    }

    private void limitHandshake(Socket socket) {
        handshakes.removeIf(Socket::isClosed);
        limit(socket, HANDSHAKE_MILLIS);
        handshakes.add(socket);
    }

    /** JGroups' own would listen for questions by multicast. */
    @Override
    public DiagnosticsHandler createDiagnosticsHandler() {
        return super.createDiagnosticsHandler().setEnabled(false);
    }

    /** Called after the handshake and before the first read. */
    @Override
    public void connectionEstablished(Connection connection) {
        if (!(connection.localAddress() instanceof IpAddress local)) {
            return;
        }
        List<Socket> done = handshakes.stream()
                .filter(socket -> socket.getLocalPort() == local.getPort())
                .toList();
        done.forEach(handshakes::remove);
        done.forEach(socket -> limit(socket, 0));
    }

    private static void limit(Socket socket, int millis) {
        try {
            socket.setSoTimeout(millis);
        } catch (SocketException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void receive(Address sender, DataInput in, int length) throws Exception {
        if (length < FRAME_HEAD || length > MAX_FRAME) {
            throw new IOException("a frame of " + length + " bytes from " + sender);
        }
        byte[] frame = new byte[length];
        in.readFully(frame);
        if ((frame[FLAGS_AT] & IS_LIST) != 0) {
            checkCount(frame);
        }
        receive(sender, frame, 0, length);
    }

    /** JGroups allocates an array for as many messages as a list claims to have. */
    private static void checkCount(byte[] frame) throws Exception {
        ByteArrayDataInputStream in = new ByteArrayDataInputStream(frame, FRAME_HEAD, frame.length - FRAME_HEAD);
        Util.readAddress(in);
        Util.readAddress(in);
        int clusterName = in.readShort();
        if (clusterName > 0) {
            in.readFully(new byte[clusterName]);
        }
        int count = in.readInt();
        if (count < 0 || count > frame.length) {
            throw new IOException("a list of " + count + " messages in " + frame.length + " bytes");
        }
    }

    /**
     * Accepts only peers with a trusted certificate. Others are logged and closed here, where the reason is known; JGroups would log
     * that their socket is closed.
     */
    static final class TlsServerSocket extends ServerSocket {
        private final SSLContext tls;
        private final int timeoutMillis;

        /** @param timeoutMillis how long a peer may take for its next message of the handshake */
        TlsServerSocket(SSLContext tls, int timeoutMillis) throws IOException {
            this.tls = tls;
            this.timeoutMillis = timeoutMillis;
        }

        @Override
        public Socket accept() throws IOException {
            while (true) {
                Socket raw = super.accept();
                try {
                    raw.setSoTimeout(timeoutMillis);
                    SSLSocket secure = (SSLSocket) tls.getSocketFactory().createSocket(raw, null, true);
                    secure.setUseClientMode(false);
                    secure.setNeedClientAuth(true);
                    secure.startHandshake();
                    secure.setSoTimeout(0);
                    return secure;
                } catch (IOException e) {
                    EngineLog.refused(raw, e);
                    raw.close();
                }
            }
        }
    }
}
