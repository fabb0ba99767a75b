package io.pgstress.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.fleet.HostGroup.Member;
import io.pgstress.fleet.JGroupsStack.SafeFragments;
import java.io.ByteArrayOutputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jgroups.BytesMessage;
import org.jgroups.FragmentedMessage;
import org.jgroups.Message;
import org.jgroups.MessageFactory;
import org.jgroups.NioMessage;
import org.jgroups.ObjectMessage;
import org.jgroups.Version;
import org.jgroups.blocks.cs.Connection;
import org.jgroups.protocols.FragHeader;
import org.jgroups.stack.IpAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever else connects to a host's port is refused in one line, and the host goes on. */
final class IntruderTest {
    private final PrintStream stderr = System.err;
    private final Lines lines = new Lines();

    /** Another each time: two connections of one address would be taken for one. */
    private int claimedPort;

    @TempDir
    Path temp;

    /** Standard error as lines. */
    private static final class Lines extends OutputStream {
        private final BlockingQueue<String> all = new LinkedBlockingQueue<>();
        private final ByteArrayOutputStream line = new ByteArrayOutputStream();

        @Override
        public synchronized void write(int b) {
            if (b == '\n') {
                all.add(line.toString(StandardCharsets.UTF_8));
                line.reset();
            } else {
                line.write(b);
            }
        }

        /** The next line, which must be the only one. */
        String only() throws InterruptedException {
            String line = all.poll(20, TimeUnit.SECONDS);
            assertThat(line).isNotNull();
            String another = all.poll(300, TimeUnit.MILLISECONDS);
            assertThat(another).as("after: " + line).isNull();
            return line;
        }
    }

    @BeforeEach
    void catchTheLog() {
        System.setErr(new PrintStream(lines, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void releaseTheLog() {
        System.setErr(stderr);
    }

    private SSLContext tls(String fleet) throws IOException {
        Path directory = temp.resolve(fleet);
        KeyDirectory.create(directory, List.of("localhost"), Instant.now());
        return FleetTls.context(
                directory.resolve("localhost.p12"),
                directory.resolve("truststore.p12"),
                FleetTls.password(directory.resolve("password"), Map.of()));
    }

    /** Shows a stranger's certificate and trusts everyone, so that the host must refuse it. */
    private SSLContext gullible() throws Exception {
        Path directory = temp.resolve("strangers");
        KeyStore store = KeyStore.getInstance("PKCS12");
        char[] password = FleetTls.password(directory.resolve("password"), Map.of());
        try (InputStream in = Files.newInputStream(directory.resolve("localhost.p12"))) {
            store.load(in, password);
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, password);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), new TrustManager[] {new TrustsAll()}, null);
        return context;
    }

    private static final class TrustsAll implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    /** Sends the bytes and waits until the host closes the connection. */
    private static void send(Socket socket, byte[] bytes) throws IOException {
        try (socket) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
            InputStream in = socket.getInputStream();
            assertThat(in.readNBytes(10_000).length).isLessThan(10_000);
        } catch (IOException e) {
            assertThat(e).hasMessageMatching("(?s).*(reset|Broken pipe|aborted|alert|closed|certification path).*");
        }
    }

    private static Socket connect(int port) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), port);
    }

    @Test
    void whoeverIsNotOfTheFleetIsRefusedInOneLine() throws Exception {
        SSLContext tls = tls("fleet");
        List<Integer> ports = TestHost.freePorts(2);
        int port = ports.get(0);
        try (TestHost a = new TestHost("a", port, ports, tls);
                TestHost b = new TestHost("b", ports.get(1), ports, tls)) {
            Member atA = a.nextJoined();

            connect(port).close();
            assertThat(lines.only()).contains("refused a connection from 127.0.0.1: ");

            send(connect(port), "GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(lines.only()).contains("refused a connection from 127.0.0.1: ");

            byte[] noise = new byte[1000];
            new Random(1).nextBytes(noise);
            noise[0] = 77;
            send(connect(port), noise);
            assertThat(lines.only()).contains("refused a connection from 127.0.0.1: ");

            // judges the host's certificate first and leaves: its reset may overtake the alert that says why
            send(tls("strangers").getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port), noise);
            assertThat(lines.only())
                    .containsAnyOf(
                            "refused a connection from 127.0.0.1: ",
                            "a connection from 127.0.0.1 ended before it was accepted");

            send(gullible().getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port), noise);
            assertThat(lines.only()).containsPattern("refused a connection from 127.0.0.1: .*certifi");

            a.group().send(atA, "still here".getBytes(StandardCharsets.UTF_8));
            assertThat(b.nextText()).isEqualTo("still here");
        }
    }

    @Test
    void garbageOfAHostThatKnowsTheEngineIsRefusedInOneLine() throws Exception {
        List<Integer> ports = TestHost.freePorts(2);
        int port = ports.get(0);
        try (TestHost a = new TestHost("a", port, ports, null);
                TestHost b = new TestHost("b", ports.get(1), ports, null)) {
            Member atA = a.nextJoined();

            send(connect(port), "GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(lines.only()).contains("refused a connection from 127.0.0.1: ", "cookie");
            send(connect(port), hello(1234).toByteArray());
            assertThat(lines.only()).contains("refused a connection from 127.0.0.1: ", "different version");

            send(connect(port), framed(Integer.MAX_VALUE, new byte[10]));
            assertThat(lines.only()).contains("is bigger than the max accepted length");
            send(connect(port), framed(-7, new byte[10]));
            assertThat(lines.only()).contains("a frame of -7 bytes");
            send(connect(port), frame(out -> out.writeByte(1)));
            assertThat(lines.only()).contains("a list of messages");
            try (Socket socket = connect(port)) {
                OutputStream out = socket.getOutputStream();
                out.write(frame(o -> write(o, new LongBytes())));
                assertThat(lines.only())
                        .contains("a message of 2147483647 bytes")
                        .doesNotContain("heap");
            }
            try (Socket socket = connect(port)) {
                OutputStream out = socket.getOutputStream();
                out.write(frame(o -> write(o, new ObjectMessage(null, new BigInteger("1")))));
                assertThat(lines.only()).contains("a message with an object of kind");
            }
            try (Socket socket = connect(port)) {
                OutputStream out = socket.getOutputStream();
                out.write(frame(o -> write(o, new NioMessage(null, ByteBuffer.allocate(1)))));
                assertThat(lines.only()).contains("a message of type " + Message.NIO_MSG);
            }

            a.group().send(atA, "still here".getBytes(StandardCharsets.UTF_8));
            assertThat(b.nextText()).isEqualTo("still here");
        }
    }

    @Test
    void fragmentsOfAnotherMessageAreReadAsSafely() throws Exception {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        new ObjectMessage(null, new BigInteger("1")).writeTo(new DataOutputStream(whole));
        Message fragment = new FragmentedMessage()
                .setArray(whole.toByteArray(), 0, whole.size())
                .setSrc(new IpAddress(InetAddress.getLoopbackAddress(), 1));
        FragHeader header = new FragHeader(1, 0, 1).setOriginalType(Message.OBJ_MSG);

        assertThatThrownBy(() -> new SafeFragments().assembleMessage(new Message[] {fragment}, true, header))
                .hasMessageContaining("a message with an object of kind");
    }

    @Test
    void otherChannelsOfTheProcessKeepTheirMessages() throws Exception {
        List<Integer> ports = TestHost.freePorts(1);
        try (TestHost host = new TestHost("a", ports.get(0), ports, null)) {
            assertThat(host.group()).isNotNull();
            Message object = MessageFactory.create(Message.OBJ_MSG);
            Message buffer = MessageFactory.create(Message.NIO_MSG);
            assertThat(object).isExactlyInstanceOf(ObjectMessage.class);
            assertThat(buffer).isExactlyInstanceOf(NioMessage.class);
        }
    }

    /** Claims to have more bytes than there are. */
    private static final class LongBytes extends BytesMessage {
        @Override
        public void writePayload(DataOutput out) throws IOException {
            out.writeInt(Integer.MAX_VALUE);
        }
    }

    /** Writes the rest of a frame. */
    private interface Rest {
        void write(DataOutputStream out) throws IOException;
    }

    private static void write(DataOutputStream out, Message message) throws IOException {
        out.writeByte(0);
        out.writeShort(message.getType());
        message.writeTo(out);
    }

    private byte[] frame(Rest rest) throws IOException {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(frame);
        out.writeShort(Version.version);
        rest.write(out);
        return framed(frame.size(), frame.toByteArray());
    }

    private byte[] framed(int length, byte[] frame) throws IOException {
        ByteArrayOutputStream bytes = hello(Version.version);
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(length);
        out.write(frame);
        return bytes.toByteArray();
    }

    /** What a host of the engine's version sends first. */
    private ByteArrayOutputStream hello(int version) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        IpAddress address = new IpAddress(InetAddress.getLoopbackAddress(), ++claimedPort);
        out.write(Connection.cookie);
        out.writeShort(version);
        out.writeShort(address.serializedSize());
        address.writeTo(out);
        return bytes;
    }
}
