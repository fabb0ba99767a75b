package io.pgstress.fleet;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * Accepts only peers with a trusted certificate. Others are logged and closed here, where the reason is known; JGroups would log
 * that their socket is closed.
 */
final class TlsServerSocket extends ServerSocket {
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
