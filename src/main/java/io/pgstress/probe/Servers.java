package io.pgstress.probe;

import io.pgstress.machine.Environment;
import io.pgstress.operation.OperationProfile.Habit;
import io.pgstress.plan.StatementMode;
import io.pgstress.result.Explained.NodeStatements;
import io.pgstress.result.ServerInfo;
import io.pgstress.result.ServerProfile;
import io.pgstress.machine.MachineProfile;
import io.pgstress.result.ServerProfile.IoCounts;
import io.pgstress.result.ServerProfile.ServerStatement;
import io.pgstress.runner.Findings;
import io.pgstress.runner.Probe;
import io.pgstress.runner.RunContext;
import io.pgstress.target.Node;
import io.pgstress.target.ServerAccess;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Observes every server of the cluster before, during and after the load; a single PostgreSQL is a cluster of one. Each
 * server has its own connection and thread, so that a slow one does not delay the others.
 */
public final class Servers implements Probe {
    /** Machines are read and servers checked less often than waits are sampled. */
    private static final long CHECK_NANOS = 2_000_000_000L;

    private static final long MAX_SECONDS = 10;

    private final RunContext run;
    private final Notes notes = new Notes();
    private final List<WatchedServer> servers;
    private long nextCheck;
    private boolean isMeasuring;

    public Servers(RunContext run) {
        this(run, MAX_SECONDS);
    }

    /** @param maxSeconds maximum wait for an answer */
    Servers(RunContext run, long maxSeconds) {
        this.run = run;
        if (!run.target().idle().isEmpty()) {
            notes.add("fewer clients than servers: none on "
                    + String.join(", ", run.target().idle()));
        }
        this.servers = ServerList.of(run.target(), notes).stream()
                .map(server -> new WatchedServer(server, run, notes, maxSeconds))
                .toList();
    }

    @Override
    public void start() throws InterruptedException {
        servers.forEach(WatchedServer::readBefore);
        for (WatchedServer server : servers) {
            server.started();
        }
    }

    @Override
    public void measureStarts() {
        isMeasuring = true;
        nextCheck = System.nanoTime() + CHECK_NANOS;
        servers.forEach(WatchedServer::measureStarts);
    }

    @Override
    public void sample(long now) {
        if (isMeasuring) {
            servers.forEach(WatchedServer::sampleWaits);
        }
        if (now >= nextCheck) {
            nextCheck = now + CHECK_NANOS;
            servers.forEach(WatchedServer::check);
        }
    }

    @Override
    public void measureEnds() {
        isMeasuring = false;
        servers.forEach(WatchedServer::measureEnds);
    }

    @Override
    public void clientsHang() {
        servers.forEach(WatchedServer::probe);
    }

    @Override
    public void loadEnds() throws InterruptedException {
        for (WatchedServer server : servers) {
            server.awaitProbe();
        }
        servers.forEach(WatchedServer::readAfter);
    }

    @Override
    public void contribute(Findings findings) throws InterruptedException {
        for (WatchedServer server : servers) {
            server.ended();
        }
        findings.profile(profile(findings));
        servers.forEach(server -> server.addAnswersTo(findings));
        findings.evidence()
                .servers(servers.size(), run.target().dialect().topology().silentTogether());
        run.target().nodes().forEach(node -> findings.server(server(node)));
    }

    private ServerProfile profile(Findings findings) {
        Map<String, Double> database = new LinkedHashMap<>();
        Map<String, Double> wal = new LinkedHashMap<>();
        List<ServerStatement> statements = new ArrayList<>();
        Map<String, Long> waits = new TreeMap<>();
        List<MachineProfile> hosts = new ArrayList<>();
        for (WatchedServer server : servers) {
            server.addCountersTo(database, wal, statements);
            server.addWaitsTo(waits);
            MachineProfile host = server.hostProfile(findings.measureStart());
            if (host == null) {
                findings.unobserved(server.server().name());
            } else {
                hosts.add(host);
            }
        }
        long samples = waits.values().stream().mapToLong(Long::longValue).sum();
        Map<String, Double> checkpointer = new LinkedHashMap<>();
        List<IoCounts> io = new ArrayList<>();
        boolean requestsCheckpoints =
                run.operations().stream().anyMatch(o -> o.profile().has(Habit.REQUESTS_CHECKPOINTS));
        for (WatchedServer server : servers) {
            server.addMeasuredTo(checkpointer, io);
            server.disturbances(requestsCheckpoints).forEach(findings.evidence()::caution);
        }
        return new ServerProfile(
                waits,
                samples,
                database,
                statements,
                wal,
                hosts,
                notes.all(),
                ServerProfile.NONE.explained(),
                List.of(),
                null,
                checkpointer,
                io,
                List.of());
    }

    /** The properties of the servers' machines by the servers' names, as far as known. */
    public Map<String, Environment> environments() {
        Map<String, Environment> known = new LinkedHashMap<>();
        for (WatchedServer server : servers) {
            Environment environment = server.environment();
            if (environment != null) {
                known.put(server.server().name(), environment);
            }
        }
        return known;
    }

    /** Whether a server is reached through the loopback interface. */
    public boolean isLocal(String name) {
        return servers.stream()
                .anyMatch(s -> s.server().name().equals(name) && s.server().local());
    }

    /** Whether clients connect to a server. */
    public boolean hasClients(String name) {
        return servers.stream()
                .anyMatch(s -> s.server().name().equals(name) && s.server().node() != null);
    }

    /** Whether a node holds data of a cluster, so that sessions on its other nodes connect to it. */
    public boolean holdsData(Node node) {
        return serverOf(node).server().holdsData();
    }

    /** The machines that hold data, each once; of a cluster without known data nodes, all. */
    public Collection<Environment> dataMachines() {
        boolean isCluster = servers.stream().anyMatch(s -> s.server().holdsData());
        Map<String, Environment> known = new LinkedHashMap<>();
        for (WatchedServer server : servers) {
            Environment machine = server.environment();
            if (machine != null && (!isCluster || server.server().holdsData())) {
                String kernel = machine.kernelBoot();
                known.put(kernel == null ? server.server().name() : kernel, machine);
            }
        }
        return known.values();
    }

    private ServerInfo server(Node node) {
        WatchedServer server = serverOf(node);
        String role = server.role();
        return new ServerInfo(
                node.url(),
                role.equals(ServerList.SINGLE) ? "coordinator" : role,
                node.facts().version(),
                run.target().dialect().name(),
                new TreeMap<>(node.facts().changedSettings()),
                run.spec().statement() == StatementMode.PREPARED ? "text (ids: the driver's choice)" : "text",
                server.loadAverage(),
                node.connector().endpoint().isUnixSocket() ? "unix" : "tcp",
                node.facts().tls(),
                pooling(node.access()));
    }

    private static @Nullable String pooling(ServerAccess access) {
        return switch (access.between()) {
            case NOTHING -> null;
            case PROXY -> "none";
            case SESSION_POOLER -> "session";
            case TRANSACTION_POOLER -> "transaction";
        };
    }

    private WatchedServer serverOf(Node node) {
        return servers.stream()
                .filter(server -> server.isOf(node))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(node.url() + " is not observed"));
    }

    /** Whether every server has answered after the load; for later probes. */
    public boolean haveAllAnswered() {
        return servers.stream().allMatch(WatchedServer::hasAnswered);
    }

    /** Asks the first server, with the same time limit. */
    public <T> T askFirst(Callable<T> question, T otherwise) throws InterruptedException {
        return serverOf(run.target().first()).begin(question).orElse(otherwise);
    }

    /** A query over a control connection in autocommit mode. */
    public interface Query<T> {
        T on(Connection control) throws SQLException;
    }

    /** Queries the first server with the same time limit; {@code otherwise} also if the query fails. */
    public <T> T queryFirst(Query<T> query, T otherwise) throws InterruptedException {
        return serverOf(run.target().first()).begin(query, otherwise).orElse(otherwise);
    }

    /** Asks each server that clients connect to, in parallel; returns the answers by node URL. */
    public <T> Map<String, T> askEach(Function<Node, T> question, T otherwise) throws InterruptedException {
        Map<String, Bounded.Question<T>> asked = new LinkedHashMap<>();
        run.target()
                .nodes()
                .forEach(node -> asked.put(node.url(), serverOf(node).begin(() -> question.apply(node))));
        Map<String, T> answers = new LinkedHashMap<>();
        for (Map.Entry<String, Bounded.Question<T>> one : asked.entrySet()) {
            answers.put(one.getKey(), one.getValue().orElse(otherwise));
        }
        return answers;
    }

    /**
     * Counts of the run's statements on the servers that hold the data; null for a server without them.
     *
     * @param areWithoutText whether the run's statements have no text but a transaction
     */
    public List<@Nullable NodeStatements> counted(boolean areWithoutText) {
        List<@Nullable NodeStatements> all = new ArrayList<>();
        servers.stream().filter(WatchedServer::counts).forEach(s -> all.add(s.counted(areWithoutText)));
        return all;
    }

    @Override
    public void hurry() {
        servers.forEach(WatchedServer::hurry);
    }

    @Override
    public void close() {
        servers.forEach(WatchedServer::close);
    }
}
