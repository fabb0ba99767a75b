package io.pgstress.fleet;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.JChannel;
import org.jgroups.protocols.Discovery;
import org.jgroups.stack.Protocol;
import org.jgroups.util.ExtendedUUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hosts that see each other now, and messages between them. A message arrives once, and in order with its sender's others,
 * unless one of the two is lost. A lost host is noticed within 5 s. Thread-safe.
 */
public final class Group implements AutoCloseable {
    /** Longer messages are refused. Bytes. */
    public static final int MAX_MESSAGE = 64 << 20;

    private static final Logger LOG = LoggerFactory.getLogger("io.pgstress.fleet");
    private static final String NAME = "name";
    private static final String PLACE = "place";

    private final JChannel channel;
    private final Membership membership;
    private final Member self;

    private Group(JChannel channel, Membership membership, Member self) {
        this.channel = channel;
        this.membership = membership;
        this.self = self;
    }

    /**
     * Joins the group, or starts one if none of the others is there; groups that find each other later become one.
     *
     * @param listener makes the listener of the open group; it is called with the members that are there before this returns
     * @throws IOException if the port is taken, or the engine fails otherwise
     * @throws IllegalArgumentException if an address to join is malformed or unknown
     */
    public static Group open(GroupSettings settings, Function<Group, GroupListener> listener) throws IOException {
        EngineLog.install();
        SafeMessages.install();
        ExtendedUUID.setPrintFunction(uuid -> part(uuid, NAME));
        String place = settings.listen().getAddress().getHostAddress() + ":"
                + settings.listen().getPort();
        Address address = ExtendedUUID.randomUUID(settings.name())
                .put(NAME, settings.name().getBytes(StandardCharsets.UTF_8))
                .put(PLACE, place.getBytes(StandardCharsets.UTF_8));
        Membership membership = new Membership(address, Group::member);
        JChannel channel = null;
        try {
            channel = new JChannel(Stack.of(settings).toArray(Protocol[]::new));
            channel.name(settings.name());
            channel.addAddressGenerator(() -> address);
            channel.setReceiver(membership);
            channel.connect("pgstress");
            Group group = new Group(channel, membership, new Member(settings.name(), place, 0));
            membership.start(listener.apply(group));
            return group;
        } catch (IllegalArgumentException e) {
            throw e;
        } catch (Exception e) {
            if (channel != null) {
                channel.close();
            }
            throw new IOException("cannot join the group from " + place + ": " + EngineLog.reason(e), e);
        }
    }

    private static Member member(Address address, long incarnation) {
        return new Member(part(address, NAME), part(address, PLACE), incarnation);
    }

    /** A part of another host's address, which may hold anything. */
    private static String part(Address address, String key) {
        byte[] bytes = address instanceof ExtendedUUID extended ? extended.get(key) : null;
        return bytes == null ? "unknown" : new String(bytes, StandardCharsets.UTF_8).replaceAll("[^\\w.:\\[\\]-]", "?");
    }

    /** For tests, which cut it off. */
    JChannel channel() {
        return channel;
    }

    public Member self() {
        return self;
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

    /** Leaves the group. The listener learns nothing more. */
    @Override
    public void close() {
        membership.close();
        channel.close();
    }
}
