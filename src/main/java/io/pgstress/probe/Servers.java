package io.pgstress.probe;

import io.pgstress.machine.MachineWatch;
import io.pgstress.plan.StatementMode;
import io.pgstress.probe.server.Notes;
import io.pgstress.probe.server.ServerCounters;
import io.pgstress.probe.server.ServerList;
import io.pgstress.probe.waits.WaitSamples;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.ServerInfo;
import io.pgstress.runner.Findings;
import io.pgstress.runner.Probe;
import io.pgstress.runner.RunContext;
import io.pgstress.target.Node;
import io.pgstress.target.ServerAccess;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Observes every server of the cluster before, during and after the load; a single PostgreSQL is a cluster of one. Each
 * server has its own connection and thread, so that a slow one does not delay the others.
 */
public final class Servers implements Probe {
    private static final long MAX_SECONDS = 10;

    /** How long hung clients keep their sessions, and with them the locks that they wait for, until all servers have told these. */
    private static final long MAX_LOCKS_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Notes on counters that are missing or too low. */
    private static final Set<RemarkCode> LOST_COUNTS = EnumSet.of(
            RemarkCode.NOT_READABLE,
            RemarkCode.RIGHT_MISSING,
            RemarkCode.STATEMENTS_UNAVAILABLE,
            RemarkCode.STATEMENTS_NOT_READ_BEFORE,
            RemarkCode.COUNTERS_RESET,
            RemarkCode.COUNTERS_DROPPED,
            RemarkCode.SILENT_AFTER_RUN);

    private static final long MAX_HURRIED_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final RunContext run;
    private final Notes notes = new Notes();
    private final List<WatchedServer> servers;
    private long nextCheck;
    private volatile boolean isHurried;

    public Servers(RunContext run) {
        this(run, MAX_SECONDS);
    }

    /** @param maxSeconds maximum wait for an answer */
    Servers(RunContext run, long maxSeconds) {
        this.run = run;
        if (!run.target().idle().isEmpty()) {
            notes.add(RemarkCode.IDLE_SERVERS
                    .with("servers", String.join(", ", run.target().idle()))
                    .remark());
        }
        WaitSamples.Questions questions = new WaitSamples.Questions();
        this.servers = ServerList.of(run.target(), notes).stream()
                .map(server -> new WatchedServer(server, run, notes, questions, maxSeconds))
                .toList();
    }

    @Override
    public void start() throws InterruptedException {
        servers.forEach(WatchedServer::start);
        for (WatchedServer server : servers) {
            server.started();
        }
    }

    @Override
    public void measureStarts() {
        nextCheck = System.nanoTime() + MachineWatch.SAMPLE_NANOS;
        servers.forEach(WatchedServer::measureStarts);
    }

    @Override
    public void sample(long now) {
        if (now >= nextCheck) {
            nextCheck = now + MachineWatch.SAMPLE_NANOS;
            servers.forEach(WatchedServer::check);
        } else if (servers.size() > 1) {
            servers.forEach(WatchedServer::ping);
        }
    }

    @Override
    public void measureEnds() {
        servers.forEach(WatchedServer::measureEnds);
    }

    @Override
    public void clientsHang() throws InterruptedException {
        servers.forEach(WatchedServer::probe);
        long until = System.nanoTime() + (isHurried ? MAX_HURRIED_NANOS : MAX_LOCKS_NANOS);
        for (WatchedServer server : servers) {
            server.awaitLocks(until);
        }
    }

    @Override
    public void loadEnds() throws InterruptedException {
        for (WatchedServer server : servers) {
            server.awaitProbe();
        }
        servers.forEach(WatchedServer::loadEnds);
    }

    @Override
    public void contribute(Findings findings) throws InterruptedException {
        for (WatchedServer server : servers) {
            server.ended();
        }
        for (WatchedServer server : servers) {
            server.contribute(findings);
        }
        countsOfStatements(findings);
        addNotes(findings);
        findings.evidence().servers(servers.size(), run.target().dialect().silentTogether());
        run.target().nodes().forEach(node -> findings.server(info(node)));
    }

    /** Compares the servers' counts of the run's statements with those of the clients, if all servers were read that clients may have reached. */
    private void countsOfStatements(Findings findings) {
        boolean areAll = servers.stream()
                        .allMatch(server -> server.server().role().equals(ServerList.SINGLE))
                && run.target().nodes().stream().noneMatch(node -> node.access().hasSeveralServers())
                && notes.all().stream().noneMatch(note -> LOST_COUNTS.contains(note.code()));
        if (areAll) {
            ServerCounters.missing(findings.recorded().operations().values(), findings.counts().statements)
                    .ifPresent(notes::add);
        }
    }

    /** Adds what could not be read so far. */
    void addNotes(Findings findings) {
        notes.all().forEach(findings::note);
    }

    private ServerInfo info(Node node) {
        WatchedServer server = of(node);
        return new ServerInfo(
                node.url(),
                server.server().role(),
                node.facts().version(),
                run.target().dialect().name(),
                new TreeMap<>(node.facts().changedSettings()),
                run.spec().statement() == StatementMode.PREPARED ? "text (ids: the driver's choice)" : "text",
                server.loadAverage(),
                node.connector().endpoint().isUnixSocket() ? "unix" : "tcp",
                node.facts().tls(),
                pooling(node.access()),
                null);
    }

    private static @Nullable String pooling(ServerAccess access) {
        return switch (access.between()) {
            case NOTHING -> null;
            case PROXY -> "none";
            case SESSION_POOLER -> "session";
            case TRANSACTION_POOLER -> "transaction";
        };
    }

    /** All servers, for later probes. */
    List<WatchedServer> all() {
        return servers;
    }

    /** The server that a node is. */
    WatchedServer of(Node node) {
        return servers.stream()
                .filter(server -> node.equals(server.server().node()))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(node.url() + " is not observed"));
    }

    /** The server of the first node. */
    WatchedServer first() {
        return of(run.target().first());
    }

    /** Whether every server has answered after the load. */
    boolean haveAllAnswered() {
        return servers.stream().allMatch(WatchedServer::hasAnswered);
    }

    @Override
    public void hurry() {
        isHurried = true;
        servers.forEach(WatchedServer::hurry);
    }

    @Override
    public void close() {
        servers.forEach(WatchedServer::close);
    }
}
