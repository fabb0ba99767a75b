package io.pgstress.fleet;

import io.pgstress.fleet.JGroupsStack.GuardedTcp;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.JChannel;
import org.jgroups.protocols.Discovery;
import org.jgroups.stack.Protocol;
import org.jgroups.util.ExtendedUUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hosts that see each other now, and messages between them. A message arrives once, and in order with its sender's others,
 * unless one of the two is lost. A lost host is noticed within 5 s. Thread-safe.
 */
public final class HostGroup implements AutoCloseable {
    /** Longer messages are refused. Bytes. */
    public static final int MAX_MESSAGE = 64 << 20;

    private static final Logger LOG = LoggerFactory.getLogger("io.pgstress.fleet");
    private static final String NAME = "name";
    private static final String PLACE = "place";

    private final String place;
    private final Membership membership;
    private final JChannel channel;

    /**
     * Prepares to {@link #join}.
     *
     * @throws IOException if the engine fails
     * @throws IllegalArgumentException if an address to join is malformed or unknown
     */
    public HostGroup(GroupSettings settings, GroupListener listener) throws IOException {
        EngineLog.install();
        ExtendedUUID.setPrintFunction(uuid -> part(uuid, NAME));
        String name = settings.name();
        this.place = settings.listen().getAddress().getHostAddress() + ":"
                + settings.listen().getPort();
        Address address = ExtendedUUID.randomUUID(name)
                .put(NAME, name.getBytes(StandardCharsets.UTF_8))
                .put(PLACE, place.getBytes(StandardCharsets.UTF_8));
        this.membership = new Membership(address, HostGroup::member, listener);
        List<Protocol> stack = JGroupsStack.of(settings);
        try {
            this.channel = new JChannel(stack);
        } catch (Exception e) {
            throw failure(e);
        }
        channel.name(name);
        channel.addAddressGenerator(() -> address);
        channel.setReceiver(membership);
    }

    /**
     * Joins the group, or starts one if none of the others is there; groups that find each other later become one. The listener is
     * called with the members that are there before this returns.
     *
     * @throws IOException if the port is taken, or the engine fails otherwise
     */
    public void join() throws IOException {
        try {
            channel.connect("pgstress");
        } catch (Exception e) {
            channel.close();
            throw failure(e);
        }
    }

    private IOException failure(Exception e) {
        return new IOException("cannot join the group from " + place + ": " + EngineLog.reason(e), e);
    }

    private static Member member(Address address, long incarnation) {
        return new Member(part(address, NAME), part(address, PLACE), incarnation);
    }

    /** A part of another host's address, which may hold anything. */
    private static String part(Address address, String key) {
        byte[] bytes = address instanceof ExtendedUUID extended ? extended.get(key) : null;
        return bytes == null ? "unknown" : new String(bytes, StandardCharsets.UTF_8).replaceAll("[^\\w.:\\[\\]-]", "?");
    }

    /** For tests, which cut it off or change its times. */
    JChannel channel() {
        return channel;
    }

    /** The others. */
    public List<Member> members() {
        return membership.members();
    }

    /**
     * Also looks for these hosts, so that groups that do not know each other become one.
     *
     * @param join as in {@link GroupSettings}; unknown names are left out
     * @throws IllegalArgumentException if one is malformed
     */
    public void seek(List<String> join) {
        Discovery discovery = channel.getProtocolStack().findProtocol(Discovery.class);
        Seeds.add(discovery, join);
    }

    /**
     * Sends a message. Waits while the member is too far behind, until it has caught up or is lost.
     *
     * @return false if the member has left, even if it has joined anew
     * @throws IllegalArgumentException if the message has more than {@link #MAX_MESSAGE} bytes
     */
    public boolean send(Member to, byte[] message) {
        Address address = membership.address(to);
        return address != null && send(address, message);
    }

    /** Sends a message to each of the others; JGroups' own messages to all would overtake those to one. */
    public void sendToAll(byte[] message) {
        membership.addresses().forEach(address -> send(address, message));
    }

    private boolean send(Address to, byte[] message) {
        if (message.length > MAX_MESSAGE) {
            throw new IllegalArgumentException(
                    "a message of " + message.length + " bytes, at most " + MAX_MESSAGE + " are sent");
        }
        try {
            channel.send(new BytesMessage(to, message));
            return true;
        } catch (Exception e) {
            LOG.warn("a message was not sent: {}", EngineLog.reason(e));
            return false;
        }
    }

    /** The addresses of hosts with which the TLS handshake failed. */
    Set<String> untrusted() {
        GuardedTcp transport = channel.getProtocolStack().findProtocol(GuardedTcp.class);
        return transport.untrusted();
    }

    /** Leaves the group. The listener learns nothing more. */
    @Override
    public void close() {
        membership.close();
        channel.close();
    }

    /**
     * Learns what happens in a {@link HostGroup}. The methods are called one at a time and must return soon. They may send. Messages of
     * one member arrive in the order in which it sent them.
     */
    public interface GroupListener {
        /** The bytes are not used again. A member's messages arrive after {@link #joined} and before {@link #left}. */
        void received(Member from, byte[] message);

        void joined(Member member);

        /** The member left, or nothing was heard of it for some seconds. If it returns, it joins as another member. */
        void left(Member member);
    }

    /**
     * How a host takes part in a group.
     *
     * @param name what the host calls itself
     * @param listen an address of this host, which the others can reach, and a port
     * @param join where to look for the others: {@code HOST:PORT}, or {@code dns:NAME:PORT} for all addresses of a name
     * @param tls whom to trust and what to show; null: no TLS
     * @param isInsecure whether an address that others can reach is accepted without TLS
     */
    public record GroupSettings(
            String name,
            InetSocketAddress listen,
            List<String> join,
            @Nullable SSLContext tls,
            boolean isInsecure) {
        private static final int MAX_NAME = 100;

        public GroupSettings {
            join = List.copyOf(join);
            InetAddress address = listen.getAddress();
            if (address == null) {
                throw new IllegalArgumentException("unknown host: " + listen.getHostString());
            }
            if (address.isAnyLocalAddress()) {
                throw new IllegalArgumentException(address.getHostAddress()
                        + " is not an address that other hosts can reach; name one of this host");
            }
            if (tls == null && !isInsecure && !address.isLoopbackAddress()) {
                throw new IllegalArgumentException("without TLS, only a loopback address is accepted, not "
                        + address.getHostAddress() + ": everyone who reaches it could run a load from here"
                        + " (--tls-keystore, or --insecure in a closed network)");
            }
            if (!name.matches("[\\w.:-]{1," + MAX_NAME + "}")) {
                throw new IllegalArgumentException("not a name of a host: " + name);
            }
        }
    }

    /**
     * A host in the group, as one of the others sees it. A host that was lost and came back is another member.
     *
     * @param name what the host calls itself
     * @param address where it listens, {@code HOST:PORT}
     * @param incarnation tells apart members of the same host; our own count, so it differs from host to host
     */
    public record Member(String name, String address, long incarnation) {
        @Override
        public String toString() {
            return name + " (" + address + ")";
        }
    }
}
