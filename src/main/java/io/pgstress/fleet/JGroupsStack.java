package io.pgstress.fleet;

import io.pgstress.fleet.HostGroup.GroupSettings;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.EmptyMessage;
import org.jgroups.FragmentedMessage;
import org.jgroups.LongMessage;
import org.jgroups.Message;
import org.jgroups.ObjectMessage;
import org.jgroups.blocks.cs.Connection;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.FD_ALL3;
import org.jgroups.protocols.FRAG4;
import org.jgroups.protocols.FragHeader;
import org.jgroups.protocols.MERGE3;
import org.jgroups.protocols.MFC;
import org.jgroups.protocols.NoBundler;
import org.jgroups.protocols.PingData;
import org.jgroups.protocols.TCP;
import org.jgroups.protocols.UFC;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.protocols.pbcast.NAKACK2;
import org.jgroups.protocols.pbcast.STABLE;
import org.jgroups.stack.DiagnosticsHandler;
import org.jgroups.stack.IpAddress;
import org.jgroups.stack.Protocol;
import org.jgroups.util.ByteArrayDataInputStream;
import org.jgroups.util.DefaultSocketFactory;
import org.jgroups.util.Digest;
import org.jgroups.util.MutableDigest;
import org.jgroups.util.SeqnoList;
import org.jgroups.util.SizeStreamable;
import org.jgroups.util.TimeScheduler;
import org.jspecify.annotations.Nullable;

/** The JGroups protocols of a group of hosts, and the reason for each number. All times are milliseconds. */
final class JGroupsStack {
    /** A lost member is noticed after this, one interval, and the verification: within 5 s. */
    private static final long HEARTBEAT_TIMEOUT = 3000;

    private static final long HEARTBEAT_INTERVAL = 1000;
    private static final long VERIFY_TIMEOUT = 500;

    /** Groups that cannot see each other look for the others this often; a command waits for its agents at most that long. */
    private static final long MERGE_MIN = 500;

    private static final long MERGE_MAX = 3000;

    /** A host that finds no other starts its own group after this. Longer than a group waits for members to confirm a view. */
    private static final long JOIN_TIMEOUT = 2000;

    /**
     * The limit for a host that others do not look for first, and how often it asks meanwhile: it should join the hosts that start
     * with it, because many groups take long to become one.
     */
    private static final long PATIENT_JOIN_TIMEOUT = 8000;

    private static final int PATIENT_QUESTIONS = 4;

    private static final long VIEW_ACK_TIMEOUT = 1000;

    private static final int CONNECT_TIMEOUT = 1000;

    /** Fits into a connection's buffers, which there are for each other member. */
    private static final int FRAGMENT_BYTES = 16_000;

    private static final int BUFFER_BYTES = 18_000;

    /**
     * How far a sender may be ahead of a receiver. A command may have 200 agents, so that it needs at most 100 MB; a link with 50
     * ms there and back transfers 10 MB/s.
     */
    private static final long CREDIT_BYTES = 500_000;

    /** Frames that wait for a connection; more than the credit allows. */
    private static final int MAX_QUEUE = 1024;

    private JGroupsStack() {}

    static List<Protocol> of(GroupSettings settings) {
        boolean isSeed = Seeds.includes(settings);
        return List.of(
                transport(settings),
                Seeds.discovery(settings.join()).numDiscoveryRuns(isSeed ? 1 : PATIENT_QUESTIONS),
                new GroupSearch().setMinInterval(MERGE_MIN).setMaxInterval(MERGE_MAX),
                new FD_ALL3().setTimeout(HEARTBEAT_TIMEOUT).setInterval(HEARTBEAT_INTERVAL),
                new VERIFY_SUSPECT2().setTimeout(VERIFY_TIMEOUT),
                new NAKACK2().useMcastXmit(false),
                new UNICAST3(),
                new STABLE(),
                new GMS()
                        .setJoinTimeout(isSeed ? JOIN_TIMEOUT : PATIENT_JOIN_TIMEOUT)
                        .setViewAckCollectionTimeout(VIEW_ACK_TIMEOUT)
                        .printLocalAddress(false),
                new UFC().setMaxCredits(CREDIT_BYTES),
                new MFC().setMaxCredits(CREDIT_BYTES),
                new SafeFragments().setFragSize(FRAGMENT_BYTES));
    }

    /**
     * Each connection has a thread that reads and one that writes, virtual ones on Java 21 and newer. So nobody waits for a
     * member that does not read: neither a heartbeat nor a message to another. A connection that breaks makes its member a
     * suspect at once, which notices killed members without FD_SOCK2.
     */
    private static GuardedTcp transport(GroupSettings settings) {
        GuardedTcp tcp = new GuardedTcp(settings.tls());
        tcp.setBindAddress(settings.listen().getAddress())
                .setBindPort(settings.listen().getPort())
                .setPortRange(0)
                .setBundler(new NoBundler());
        tcp.nonBlockingSends(true)
                .maxSendQueue(MAX_QUEUE)
                .setBufferedInputStreamSize(BUFFER_BYTES)
                .setBufferedOutputStreamSize(BUFFER_BYTES)
                .setSockConnTimeout(CONNECT_TIMEOUT)
                .tcpNodelay(true)
                .logDetails(false)
                .enableSuspectEvents(true);
        return tcp;
    }

    /**
     * Looks for other groups, so that all become one. In each round, a member asks all hosts that it knows, each answers with the
     * addresses of its whole group, and the member reports its view to each address. JGroups lets all members do so equally often and
     * reports to an address as often as it was answered, which are N³ messages a round for N members. Here, an address gets one report
     * a round, and in large groups the members other than the coordinator search less often.
     */
    static final class GroupSearch extends MERGE3 {
        /** From this number of members on, members other than the coordinator search less often. */
        private static final int MANY_MEMBERS = 8;

        private static final int MAX_FACTOR = 4;

        /** Who has got a report in this round. */
        private final Set<Address> informed = ConcurrentHashMap.newKeySet();

        GroupSearch() {
            setId(ClassConfigurator.getProtocolId(MERGE3.class));
        }

        @Override
        protected synchronized void startInfoSender() {
            if (info_sender_future == null || info_sender_future.isDone()) {
                info_sender_future = timer.scheduleWithDynamicInterval(new Round(), false);
            }
        }

        @Override
        protected void sendInfoMessage(PingData found) {
            if (found != null && informed.add(found.getAddress())) {
                super.sendInfoMessage(found);
            }
        }

        private final class Round implements TimeScheduler.Task {
            @Override
            public void run() {
                informed.clear();
                info_sender.run();
            }

            @Override
            public long nextInterval() {
                int members = view == null ? 1 : view.size();
                int factor = is_coord ? 1 : Math.min(MAX_FACTOR, 1 + members / MANY_MEMBERS);
                return info_sender.nextInterval() * factor;
            }
        }
    }

    /**
     * The messages that a channel of this tool creates from received bytes, instead of those of JGroups' {@code MessageFactory}. These can
     * hold any object, by Java serialization or by the name of a class. Here, only the two objects that the protocols send are read.
     */
    static final class SafeMessages {
        private static final Set<Class<?>> OBJECTS = Set.of(Digest.class, MutableDigest.class, SeqnoList.class);

        private SafeMessages() {}

        /**
         * Reads a message.
         *
         * @param type one of the numbers in {@link Message}
         * @throws IOException if this tool sends no such message
         */
        static Message read(short type, DataInput in) throws IOException, ClassNotFoundException {
            Message message = switch (type) {
                case Message.EMPTY_MSG -> new EmptyMessage();
                case Message.LONG_MSG -> new LongMessage();
                case Message.BYTES_MSG -> new Bytes();
                case Message.FRAG_MSG -> new Fragment();
                case Message.OBJ_MSG -> new EngineObject();
                default -> throw new IOException("a message of type " + type);
            };
            message.readFrom(in);
            return message;
        }

        private static void read(BytesMessage into, DataInput in) throws IOException {
            int length = in.readInt();
            if (length > GuardedTcp.MAX_FRAME) {
                throw new IOException("a message of " + length + " bytes");
            }
            if (length >= 0) {
                byte[] bytes = new byte[length];
                in.readFully(bytes);
                into.setArray(bytes, 0, length);
            }
        }

        /** Bytes that are never made an object. */
        private static final class Bytes extends BytesMessage {
            @Override
            public void readPayload(DataInput in) throws IOException {
                read(this, in);
            }

            @Override
            @SuppressWarnings("TypeParameterUnusedInFormals") // it overrides
            public <T> T getObject(ClassLoader loader) {
                throw new UnsupportedOperationException("a message of bytes is not an object");
            }

            @Override
            public Supplier<Message> create() {
                return Bytes::new;
            }
        }

        private static final class Fragment extends FragmentedMessage {
            @Override
            public void readPayload(DataInput in) throws IOException {
                read(this, in);
            }

            @Override
            public Supplier<Message> create() {
                return Fragment::new;
            }
        }

        private static final class EngineObject extends ObjectMessage {
            @Override
            public void readPayload(DataInput in) throws IOException, ClassNotFoundException {
                if (in.readByte() == 0) {
                    return;
                }
                short number = in.readShort();
                SizeStreamable read = number < 0 ? null : ClassConfigurator.create(number);
                if (read == null || !OBJECTS.contains(read.getClass())) {
                    throw new IOException("a message with an object of kind " + number);
                }
                read.readFrom(in);
                setObject(read);
            }

            @Override
            public Supplier<Message> create() {
                return EngineObject::new;
            }
        }
    }

    /** Reassembles messages, which it reads as {@link SafeMessages}. */
    static final class SafeFragments extends FRAG4 {
        SafeFragments() {
            setId(ClassConfigurator.getProtocolId(FRAG4.class));
        }

        /** Fragments of bytes have parts of them; those of another message have parts of its whole, which must be read. */
        @Override
        protected Message assembleMessage(Message[] fragments, boolean isSerialized, FragHeader header)
                throws Exception {
            if (!(fragments[0] instanceof FragmentedMessage) || Objects.equals(local_addr, fragments[0].getSrc())) {
                return super.assembleMessage(fragments, isSerialized, header);
            }
            ByteArrayOutputStream whole = new ByteArrayOutputStream();
            for (Message fragment : fragments) {
                whole.write(fragment.getArray(), fragment.getOffset(), fragment.getLength());
            }
            return SafeMessages.read(header.getOriginalType(), new ByteArrayDataInputStream(whole.toByteArray()));
        }
    }

    /**
     * JGroups' TCP transport, hardened against peers that send garbage or nothing. A frame is read as a whole, up to a limit, before
     * it is parsed; JGroups would parse it from the socket and allocate any size that it reads. A handshake ends after some time;
     * JGroups would wait forever for a frozen process whose kernel still accepts connections.
     */
    static final class GuardedTcp extends TCP {
        /** Maximum length of a frame in bytes. A frame is a fragment of a message with headers; the longest header lists all members. */
        static final int MAX_FRAME = 1 << 20;

        private static final int HANDSHAKE_MILLIS = 2000;

        /** Version and flags; the rest of a frame is in the format that the flags name. */
        private static final int FRAME_HEAD = 3;

        private static final int FLAGS_AT = 2;
        private static final int IS_LIST = 1;

        /** Sockets to others that may still be in the handshake. */
        private final Set<Socket> handshakes = ConcurrentHashMap.newKeySet();

        private final Set<String> untrusted = ConcurrentHashMap.newKeySet();

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

        @Override
        public void send(Address dest, byte[] data, int offset, int length) throws Exception {
            try {
                super.send(dest, data, offset, length);
            } catch (SSLHandshakeException e) {
                untrusted.add(dest.toString());
                throw e;
            }
        }

        /** The addresses of hosts with which the TLS handshake failed, because of their certificate or ours. */
        Set<String> untrusted() {
            return new TreeSet<>(untrusted);
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
                throw new IOException("a list of messages from " + sender + ", which only other bundlers send");
            }
            receive(sender, frame, 0, length);
        }

        /** As JGroups does, except for what is created from the bytes. */
        @Override
        protected void handleSingleMessage(DataInput in, boolean isMulticast) {
            try {
                Message message = SafeMessages.read(in.readShort(), in);
                if (isMulticast || !unicastDestMismatch(message.getDest())) {
                    msg_processing_policy.process(message, message.isFlagSet(Message.Flag.OOB));
                    msg_stats.received(message);
                }
            } catch (IOException | ClassNotFoundException | RuntimeException e) {
                log.error(local_addr + ": failed handling an incoming message", e);
            }
        }
    }
}
