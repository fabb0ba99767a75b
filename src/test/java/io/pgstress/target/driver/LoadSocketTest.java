package io.pgstress.target.driver;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class LoadSocketTest {
    /** Linux's value, in octal, as in /proc. */
    private static final int O_NONBLOCK = 04000;

    @Test
    @EnabledOnOs(OS.LINUX)
    void connectionOfTheLoadBlocksAfterConnecting() throws SQLException, IOException {
        String url = TestServer.maintenanceUrl();
        try (Connection connection = TestServer.connector(url).open(SessionPurpose.LOAD);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select inet_client_port()")) {
            row.next();
            assertThat(flagsOfSocket(row.getInt(1)) & O_NONBLOCK).isZero();
        }
    }

    @Test
    void readTimeoutLeavesTheSocketUsable() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = new CountingSocketFactory("nobody's").createSocket()) {
            client.connect(new InetSocketAddress(server.getInetAddress(), server.getLocalPort()), 1000);
            client.setSoTimeout(10);
            client.setTcpNoDelay(true);
            client.setKeepAlive(true);
            try (Socket accepted = server.accept()) {
                assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
                accepted.getOutputStream().write('x');
                client.setSoTimeout(0);
                assertThat(client.getInputStream().read()).isEqualTo('x');
                assertThat(client.getTcpNoDelay()).isTrue();
                assertThat(client.getKeepAlive()).isTrue();
                assertThat(client.getPort()).isEqualTo(server.getLocalPort());
            }
        }
    }

    /** The flags of this process's socket on this local port, by its inode. */
    private static int flagsOfSocket(int port) throws IOException {
        String inode = inode(String.format(Locale.ROOT, ":%04X", port));
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            Path fd = open.filter(path -> linksTo(path, "socket:[" + inode + "]"))
                    .findFirst()
                    .orElseThrow();
            String info = Files.readString(Path.of("/proc/self/fdinfo").resolve(fd.getFileName()), US_ASCII);
            return Integer.parseInt(
                    info.lines()
                            .filter(l -> l.startsWith("flags:"))
                            .findFirst()
                            .orElseThrow()
                            .substring(6)
                            .trim(),
                    8);
        }
    }

    private static String inode(String port) throws IOException {
        for (String table : List.of("/proc/self/net/tcp", "/proc/self/net/tcp6")) {
            for (String line : Files.readAllLines(Path.of(table), US_ASCII)) {
                String[] fields = line.trim().split("\\s+", -1);
                // only connected ones: state 01
                if (fields[1].endsWith(port) && fields[3].equals("01")) {
                    return fields[9];
                }
            }
        }
        throw new IOException("no socket with port " + port);
    }

    private static boolean linksTo(Path path, String to) {
        try {
            return Files.readSymbolicLink(path).toString().equals(to);
        } catch (IOException e) {
            return false; // closed meanwhile
        }
    }
}
