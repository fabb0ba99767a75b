package io.pgstress.target.statement;

import io.pgstress.target.driver.UnconnectedSockets;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketAddress;

/**
 * Sockets to a server in this process's memory, which answers at once and in the same thread, so that only the client's work is
 * measured. Use it as pgjdbc's {@code socketFactory}.
 */
public final class MemoryServer extends UnconnectedSockets {
    @Override
    public Socket createSocket() {
        return new MemorySocket();
    }

    private static final class MemorySocket extends Socket {
        private static final int BUFFER_BYTES = 1 << 16;

        private final MemoryAnswers answers = new MemoryAnswers();

        @Override
        public void connect(SocketAddress address, int timeout) {
            // there is nothing to connect to
        }

        @Override
        public InputStream getInputStream() {
            return new InputStream() {
                @Override
                public int read() throws IOException {
                    byte[] one = new byte[1];
                    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
                }

                @Override
                public int read(byte[] b, int off, int len) {
                    return answers.read(b, off, len);
                }
            };
        }

        @Override
        public OutputStream getOutputStream() {
            return new OutputStream() {
                @Override
                public void write(int b) throws IOException {
                    throw new IOException("pgjdbc writes whole messages");
                }

                @Override
                public void write(byte[] b, int off, int len) {
                    answers.write(b, off, len);
                }
            };
        }

        @Override
        public void setTcpNoDelay(boolean on) {
            // nothing is delayed
        }

        @Override
        public void setKeepAlive(boolean on) {
            // it lives as long as the process
        }

        @Override
        public synchronized void setSoTimeout(int timeout) {
            // no answer is waited for
        }

        @Override
        public synchronized int getSoTimeout() {
            return 0;
        }

        @Override
        public synchronized int getSendBufferSize() {
            return BUFFER_BYTES;
        }

        @Override
        public synchronized void close() {
            // nothing is open
        }
    }
}
