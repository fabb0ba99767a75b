package io.pgstress.runner;

import io.pgstress.measure.Time;
import io.pgstress.operation.TableCheck.PostRunCheck;
import io.pgstress.result.ClientInfo;
import io.pgstress.result.DatasetInfo;
import io.pgstress.result.Explained;
import io.pgstress.result.HostResult;
import io.pgstress.result.Network;
import io.pgstress.result.OperationResult;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.ServerInfo;
import io.pgstress.result.ServerProfile;
import io.pgstress.machine.MachineProfile;
import io.pgstress.machine.Bottleneck;
import io.pgstress.text.Records;
import io.pgstress.verdict.Evidence;
import io.pgstress.verdict.LongTimes.Suspect;
import io.pgstress.verdict.SilentServers.Silence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The findings of a run's probes: parts of the result, and evidence for the verdict. Belongs to the run's thread. */
public final class Findings {
    private final RecordedFigures recorded;
    private final RunContext run;
    private final Evidence evidence;
    private final List<ServerInfo> servers = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final List<MachineProfile> machines = new ArrayList<>();
    private final List<String> unobserved = new ArrayList<>();
    private final List<PostRunCheck> checks = new ArrayList<>();
    private ServerProfile profile = ServerProfile.NONE;
    private Explained explained = Explained.NONE;
    private Network network = new Network(0, 0, 0, 0);
    private List<Network> networkByNode = List.of();
    private long rowsAfter = -1;
    private @Nullable ClientInfo client;
    private List<HostResult> hosts = List.of();
    private @Nullable Integer toleratedLost;
    private @Nullable Boolean insecure;

    Findings(RunContext run, RecordedFigures recorded, Evidence evidence) {
        this.run = run;
        this.recorded = recorded;
        this.evidence = evidence;
    }

    /** Duration of the measurement in seconds. */
    public double seconds() {
        return recorded.seconds();
    }

    /** Operations by name, over the whole run. */
    public Map<String, OperationResult> operations() {
        return recorded.operations();
    }

    /** Number of operations that succeeded within the measurement. */
    public long okInTime() {
        return recorded.okInTime();
    }

    /** Number of operations with any outcome that ended within the measurement. */
    public long endedInTime() {
        return recorded.endedInTime();
    }

    /** The mean latency of an operation in microseconds, including the wait for a connection. */
    public double meanMicros() {
        return recorded.sum(Time.TOTAL).meanMicros();
    }

    /** The clients, after the load. */
    public Clients clients() {
        return recorded.clients();
    }

    /** What the verdict needs in addition to the result. */
    public Evidence evidence() {
        return evidence;
    }

    /** Seconds from the start of the load to that of the measurement, pauses excluded. */
    public double measureStart() {
        return (run.timeline().measureStart() - run.timeline().origin()) / 1e9;
    }

    /** Adds a possible cause of waits; times are in seconds since the start of the load, pauses excluded. */
    public void suspect(Suspect suspect) {
        evidence.suspect(suspect.since(measureStart()));
    }

    /** Adds a period without answers from a server, in seconds since the start of the load, pauses excluded. */
    public void silence(Silence silence) {
        evidence.silence(silence.since(measureStart()));
    }

    /** Sets the facts about the client's process and machine. */
    public void client(ClientInfo found) {
        client = found;
    }

    /**
     * Sets the traffic of the load's sockets.
     *
     * @param byNode in the order of the target's nodes
     */
    public void network(Network all, List<Network> byNode) {
        network = all;
        networkByNode = List.copyOf(byNode);
    }

    /**
     * Sets the hosts' shares of a run on several hosts.
     *
     * @param mayBeLost how many may be lost for the run to be valid
     * @param isInsecure whether their messages were neither encrypted nor authenticated
     */
    public void hosts(List<HostResult> found, int mayBeLost, boolean isInsecure) {
        hosts = List.copyOf(found);
        toleratedLost = mayBeLost;
        insecure = isInsecure;
        if (isInsecure) {
            evidence.caution(Remark.of(RemarkCode.INSECURE_FLEET));
        }
    }

    /** Whether the hosts' messages were readable for others; null for a run on one host. */
    @Nullable
    Boolean insecure() {
        return insecure;
    }

    List<HostResult> hosts() {
        return hosts;
    }

    /** The number of lost hosts that leaves the run valid; null for a run on one host. */
    @Nullable
    Integer toleratedLost() {
        return toleratedLost;
    }

    /** Adds a server that clients connect to. */
    public void server(ServerInfo found) {
        servers.add(found);
    }

    /** Adds settings in force on the server with this URL. */
    public void settings(String url, Map<String, String> inForce) {
        servers.replaceAll(s -> s.url().equals(url) ? with(s, inForce) : s);
    }

    private static ServerInfo with(ServerInfo s, Map<String, String> inForce) {
        Map<String, String> settings = new TreeMap<>(s.settings());
        settings.putAll(inForce);
        return s.withSettings(settings);
    }

    /** Sets what the servers counted. */
    public void profile(ServerProfile found) {
        profile = found;
    }

    /** Adds a machine that is not a node's: the client's, or one that was watched. */
    public void machine(MachineProfile found) {
        machines.add(found);
    }

    /** Adds the name of a server or host whose machine could not be observed. */
    public void unobserved(String name) {
        unobserved.add(name);
    }

    /** Adds a note about something that could not be read from a server. */
    public void note(String text) {
        notes.add(text);
    }

    public void explained(Explained found) {
        explained = found;
    }

    /** @param rows number of rows of the table after the load; -1: unknown */
    public void rowsAfter(long rows) {
        rowsAfter = rows;
    }

    /** Adds the results of the checks of the tables after the load. */
    public void checked(List<PostRunCheck> found) {
        checks.addAll(found);
        found.stream()
                .filter(c -> !c.holds())
                .forEach(c -> evidence.failedCheck(Remark.of(RemarkCode.CHECK_FAILED, c.text())));
    }

    ClientInfo client() {
        ClientInfo found = Objects.requireNonNull(client, "no probe has observed the client");
        double stopped = evidence.collectedWhileStandingStill(seconds());
        return Records.with(found, "gcPauseSeconds", Math.max(0, found.gcPauseSeconds() - stopped));
    }

    /** The servers that clients connect to, as far as known. */
    public List<ServerInfo> servers() {
        return List.copyOf(servers);
    }

    Network network() {
        return network;
    }

    @Nullable
    Network network(int node) {
        return node < networkByNode.size() ? networkByNode.get(node) : null;
    }

    /** What the servers have counted so far. */
    public ServerProfile profile() {
        List<String> all = new ArrayList<>(profile.notes());
        all.addAll(notes);
        return new ServerProfile(
                profile.waitEvents(),
                profile.waitSamples(),
                profile.database(),
                profile.statements(),
                profile.wal(),
                profile.hosts(),
                all,
                explained,
                machines,
                Bottleneck.of(
                        profile.hosts(),
                        machines,
                        unobserved,
                        run.signals().pause().measuredSeconds()),
                profile.checkpointer(),
                profile.io(),
                unobserved);
    }

    DatasetInfo dataset() {
        return new DatasetInfo(
                run.table().name().toString(),
                run.table().keyType().label(),
                run.table().rows(),
                rowsAfter,
                run.table().bytes(),
                run.table().keys().size(),
                checks.stream().map(PostRunCheck::text).toList());
    }
}
