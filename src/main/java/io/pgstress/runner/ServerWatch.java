package io.pgstress.runner;

import io.pgstress.plan.RunSpec;
import io.pgstress.result.Explained;
import io.pgstress.result.ServerProfile;
import io.pgstress.result.ServerProfile.ServerStatement;
import io.pgstress.target.Node;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The servers' own word: counters before and after the load, and samples of what its sessions wait for. Each node is asked
 * on a thread of its own, all at once: one that does not answer in time costs its own word, and holds up nobody. Belongs to
 * the run's thread.
 */
final class ServerWatch implements AutoCloseable {
    private static final long MAX_SECONDS = 10;

    private final List<NodeCounters> nodes;

    /** For what is asked of the table. */
    private final Bounded asking;

    ServerWatch(List<Node> nodes) {
        this(nodes, MAX_SECONDS);
    }

    /** @param mostSeconds that an answer is waited for */
    ServerWatch(List<Node> nodes, long mostSeconds) {
        this.nodes = nodes.stream().map(n -> new NodeCounters(n, mostSeconds)).toList();
        this.asking = new Bounded(mostSeconds);
    }

    /** Reads the counters before the first operation. */
    void start() throws InterruptedException {
        nodes.forEach(NodeCounters::read);
        for (NodeCounters node : nodes) {
            node.started();
        }
    }

    /** Looks once at what the load's sessions do, where the last look is over. */
    void sample() {
        nodes.forEach(NodeCounters::sample);
    }

    /** Asks every node whether it answers at all, as it seems not to; {@link #finish} waits no longer for one that does not. */
    void probe() {
        nodes.forEach(NodeCounters::probe);
    }

    /** Reads the counters again and tells what came between. */
    ServerProfile finish() throws InterruptedException {
        for (NodeCounters node : nodes) {
            node.awaitProbe();
        }
        nodes.forEach(NodeCounters::readAfter);
        Map<String, Double> database = new LinkedHashMap<>();
        Map<String, Double> wal = new LinkedHashMap<>();
        List<ServerStatement> statements = new ArrayList<>();
        Map<String, Long> waits = new TreeMap<>();
        Set<String> notes = new LinkedHashSet<>();
        for (NodeCounters node : nodes) {
            node.addTo(database, wal, statements);
            node.addWaitsTo(waits);
            notes.addAll(node.notes());
        }
        long samples = waits.values().stream().mapToLong(Long::longValue).sum();
        return new ServerProfile(
                waits, samples, database, statements, wal, List.of(), List.copyOf(notes), Explained.NONE);
    }

    /** The load average of the first server's host; null where it may not be read. */
    @Nullable
    Double loadAverage() throws InterruptedException {
        NodeCounters first = nodes.get(0);
        return first.begin(first::loadAverage).orElse(Optional.empty()).orElse(null);
    }

    /** The settings that a run asked for, as a session of the load on each node shows them; by the node's URL. */
    Map<String, Map<String, String>> settings(RunSpec spec) throws InterruptedException {
        Map<String, Bounded.Question<Map<String, String>>> asked = new LinkedHashMap<>();
        for (NodeCounters node : nodes) {
            asked.put(node.node().url(), node.begin(() -> SettingsInForce.of(node.node(), spec)));
        }
        Map<String, Map<String, String>> told = new LinkedHashMap<>();
        for (Map.Entry<String, Bounded.Question<Map<String, String>>> one : asked.entrySet()) {
            told.put(one.getKey(), one.getValue().orElse(SettingsInForce.untold(spec)));
        }
        return told;
    }

    /** Asks something of the first server's tables, within the same time limit. */
    <T> T ask(Callable<T> question, T otherwise) throws InterruptedException {
        return asking.ask(question, otherwise);
    }

    /** Waits for answers only a moment from now on; may be called by any thread. */
    void hurry() {
        asking.hurry();
        nodes.forEach(NodeCounters::hurry);
    }

    @Override
    public void close() {
        asking.close();
        nodes.forEach(NodeCounters::close);
    }
}
