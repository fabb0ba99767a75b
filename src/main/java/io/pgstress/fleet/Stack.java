package io.pgstress.fleet;

import java.util.List;
import org.jgroups.protocols.FD_ALL3;
import org.jgroups.protocols.FRAG4;
import org.jgroups.protocols.MFC;
import org.jgroups.protocols.NoBundler;
import org.jgroups.protocols.UFC;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.protocols.pbcast.NAKACK2;
import org.jgroups.protocols.pbcast.STABLE;
import org.jgroups.stack.Protocol;

/** The protocols of a group, and the reason for each number. All times are milliseconds. */
final class Stack {
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
     * The same for a host that others do not look for first, and how often it asks meanwhile: it should join the hosts that start
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

    private Stack() {}

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
                new FRAG4().setFragSize(FRAGMENT_BYTES));
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
}
