package io.pgstress.runner;

import io.pgstress.dataset.Table;
import io.pgstress.result.Explained.NodeStatements;
import io.pgstress.result.OperationResult;
import io.pgstress.result.ServerProfile;
import io.pgstress.result.ServerProfile.HostProfile;
import io.pgstress.target.ClusterNode;
import io.pgstress.target.Node;
import io.pgstress.target.Target;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.verdict.Silence;
import io.pgstress.verdict.Suspect;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Every server of the target's cluster, watched before, during and after the run. Belongs to the run's thread. */
final class ClusterWatch implements AutoCloseable {
    private static final long SAMPLE_NANOS = 2_000_000_000L;

    private final List<PeerWatch> peers = new ArrayList<>();
    private final Notes notes = new Notes();
    private long nextSample;
    private long origin;
    private boolean isWhole = true;

    ClusterWatch(Target target, Table table) {
        if (!target.idle().isEmpty()) {
            notes.add("fewer clients than servers: none on " + String.join(", ", target.idle()));
        }
        try {
            for (ClusterNode peer : ClusterNode.of(target)) {
                String named = target.dialect().plans().onNodes(table.name());
                peers.add(new PeerWatch(
                        peer,
                        urlOf(target, peer),
                        named,
                        target.dialect().plans().uncounted(),
                        notes));
            }
        } catch (SQLException e) {
            notes.add("the nodes of the cluster were not told: " + ServerErrors.sampleOf(e));
        }
    }

    /** Under which clients connect to it; null where they do not. */
    private static @Nullable String urlOf(Target target, ClusterNode peer) {
        return target.nodes().stream()
                .filter(node -> peer.connector()
                        .endpoint()
                        .isSameServer(node.connector().endpoint()))
                .map(Node::url)
                .findFirst()
                .orElse(null);
    }

    /** The load is about to begin. */
    void start() throws InterruptedException {
        for (PeerWatch peer : peers) {
            peer.start();
        }
    }

    /** The measurement begins now. */
    void measureStarts(long now) {
        origin = now;
        nextSample = now + SAMPLE_NANOS;
        peers.forEach(PeerWatch::measureStarts);
    }

    /** Looks at the machines where it is time to. */
    void sample(long now) {
        if (now >= nextSample) {
            nextSample = now + SAMPLE_NANOS;
            peers.forEach(peer -> peer.sample(origin));
        }
    }

    /** How many servers there are. */
    int size() {
        return peers.size();
    }

    /** When nodes did not answer, to within some seconds. */
    List<Silence> silences() {
        List<Silence> all = new ArrayList<>();
        peers.forEach(peer -> all.addAll(peer.silences(origin)));
        return all;
    }

    /** When servers were slow to answer. */
    List<Suspect> slow() {
        List<Suspect> all = new ArrayList<>();
        peers.forEach(peer -> all.addAll(peer.slow(origin)));
        return all;
    }

    /** Asks all whether they answer at all, as one seems not to. */
    void probe() {
        peers.forEach(PeerWatch::probe);
    }

    /** Waits for answers only a moment from now on; may be called by any thread. */
    void hurry() {
        peers.forEach(PeerWatch::hurry);
    }

    /** Asks all for their last word, which {@link #added} waits for. */
    void finish(RunPlans plans) throws InterruptedException {
        for (PeerWatch peer : peers) {
            peer.awaitProbe();
        }
        peers.forEach(peer -> peer.finish(origin, plans.comeWithoutText()));
    }

    /** The same profile with what the cluster's nodes tell, which {@link #finish} asked for. */
    ServerProfile added(
            ServerProfile profile, RunPlans plans, Map<String, OperationResult> operations, @Nullable PlanCounts counts)
            throws InterruptedException {
        List<HostProfile> hosts = new ArrayList<>();
        List<NodeStatements> counted = new ArrayList<>();
        for (PeerWatch peer : peers) {
            PeerWatch.LastWord word = peer.lastWord();
            isWhole &= word.answered();
            addIfThere(hosts, word.host());
            addIfThere(counted, word.statements());
        }
        List<String> all = new ArrayList<>(profile.notes());
        all.addAll(notes.all());
        if (plans.failure() != null) {
            all.add(plans.failure());
        }
        return new ServerProfile(
                profile.waitEvents(),
                profile.waitSamples(),
                profile.database(),
                profile.statements(),
                profile.wal(),
                hosts,
                all,
                plans.heldAgainst(operations, counted, haveAllCounted(counted), counts));
    }

    /** Whether every node that was to count told what it had counted. */
    private boolean haveAllCounted(List<NodeStatements> counted) {
        return counted.size() == peers.stream().filter(PeerWatch::counts).count();
    }

    private static <T> void addIfThere(List<T> list, @Nullable T one) {
        if (one != null) {
            list.add(one);
        }
    }

    /** What the server of this node is in the cluster; null where the cluster does not know it. */
    PeerWatch.@Nullable Seen seen(Node node) {
        return peers.stream()
                .filter(peer -> peer.isAt(node.connector().endpoint()))
                .map(PeerWatch::seen)
                .findFirst()
                .orElse(null);
    }

    /** Whether every server had its last word. */
    boolean isWhole() {
        return isWhole;
    }

    @Override
    public void close() {
        peers.forEach(PeerWatch::close);
    }
}
