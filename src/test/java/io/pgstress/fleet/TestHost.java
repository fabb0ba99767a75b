package io.pgstress.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.fleet.HostGroup.GroupListener;
import io.pgstress.fleet.HostGroup.GroupSettings;
import io.pgstress.fleet.HostGroup.Member;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.jgroups.protocols.FD_ALL3;
import org.jgroups.protocols.MERGE3;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.stack.ProtocolStack;
import org.jspecify.annotations.Nullable;

/** A host in this JVM that notes what its group tells it. */
final class TestHost implements GroupListener, AutoCloseable {
    private static final long PATIENCE_SECONDS = 30;

    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final HostGroup group;

    /** @param what {@code joined}, {@code left} or {@code received} */
    @SuppressWarnings("ArrayRecordComponent")
    record Event(String what, Member member, byte[] message) {}

    TestHost(GroupSettings settings) throws IOException {
        this(settings, 1);
    }

    /** @param timesFaster how much sooner than others it gives up waiting for hosts, and looks for groups */
    private TestHost(GroupSettings settings, int timesFaster) throws IOException {
        group = new HostGroup(settings, this);
        ProtocolStack stack = group.channel().getProtocolStack();
        GMS joining = stack.findProtocol(GMS.class);
        joining.setJoinTimeout(joining.getJoinTimeout() / timesFaster);
        FD_ALL3 heartbeats = stack.findProtocol(FD_ALL3.class);
        heartbeats.setTimeout(heartbeats.getTimeout() / timesFaster);
        heartbeats.setInterval(heartbeats.getInterval() / timesFaster);
        MERGE3 search = stack.findProtocol(MERGE3.class);
        search.setMinInterval(search.getMinInterval() / timesFaster);
        search.setMaxInterval(search.getMaxInterval() / timesFaster);
        group.join();
    }

    TestHost(String name, int port, List<Integer> seeds, @Nullable SSLContext tls) throws IOException {
        this(settings(name, port, seeds, tls));
    }

    /** Without TLS, and three times as fast as other hosts in noticing who is there. */
    static TestHost fast(String name, int port, List<Integer> seeds) throws IOException {
        return new TestHost(settings(name, port, seeds, null), 3);
    }

    static GroupSettings settings(String name, int port, List<Integer> seeds, @Nullable SSLContext tls) {
        return new GroupSettings(
                name,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                seeds.stream().map(seed -> "127.0.0.1:" + seed).toList(),
                tls,
                false);
    }

    static List<Integer> freePorts(int count) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sockets.add(new ServerSocket(0));
            ports.add(sockets.get(i).getLocalPort());
        }
        for (ServerSocket socket : sockets) {
            socket.close();
        }
        return ports;
    }

    HostGroup group() {
        return group;
    }

    /** The next event of this kind; those before it are dropped. */
    Event next(String what) throws InterruptedException {
        while (true) {
            Event event = events.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            assertThat(event).as("waiting for: " + what).isNotNull();
            if (event.what().equals(what)) {
                return event;
            }
        }
    }

    Member nextJoined() throws InterruptedException {
        return next("joined").member();
    }

    String nextText() throws InterruptedException {
        return new String(next("received").message(), StandardCharsets.UTF_8);
    }

    @Override
    public void received(Member from, byte[] message) {
        events.add(new Event("received", from, message));
    }

    @Override
    public void joined(Member member) {
        events.add(new Event("joined", member, new byte[0]));
    }

    @Override
    public void left(Member member) {
        events.add(new Event("left", member, new byte[0]));
    }

    @Override
    public void close() {
        group.close();
    }
}
