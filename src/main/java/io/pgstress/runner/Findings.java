package io.pgstress.runner;

import io.pgstress.machine.Environment;
import io.pgstress.machine.MachineProfile;
import io.pgstress.machine.RunMachines;
import io.pgstress.measure.Time;
import io.pgstress.result.Bottleneck;
import io.pgstress.result.ClientInfo;
import io.pgstress.result.Explained;
import io.pgstress.result.HostResult;
import io.pgstress.result.Network;
import io.pgstress.result.OperationWaits;
import io.pgstress.result.OperationWaits.Sampling;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.ServerCounts;
import io.pgstress.result.ServerInfo;
import io.pgstress.result.ServerProfile;
import io.pgstress.text.Records;
import io.pgstress.verdict.Evidence;
import io.pgstress.verdict.LongTimes.Suspect;
import io.pgstress.verdict.SilentServers.Silence;
import io.pgstress.verdict.SlowOperations;
import io.pgstress.verdict.SlowOperations.Hit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The findings of a run's probes: parts of the result, and evidence for the verdict. Belongs to the run's thread. */
public final class Findings {
    private final RecordedFigures recorded;
    private final RunContext run;
    private final Evidence evidence;
    private final ServerCounts.Collector counts = new ServerCounts.Collector();
    private final List<ServerInfo> servers = new ArrayList<>();
    private final List<MachineProfile> nodeMachines = new ArrayList<>();
    private final List<MachineProfile> otherMachines = new ArrayList<>();
    private final List<String> unobserved = new ArrayList<>();
    private final Set<Remark> notes = new LinkedHashSet<>();
    private final List<Remark> checks = new ArrayList<>();
    private final List<Hit> hits = new ArrayList<>();
    private @Nullable Sampling sampling;
    private Explained explained = Explained.NONE;
    private long rowsAfter = -1;
    private @Nullable ClientSide client;
    private FleetSide fleet = new FleetSide(List.of(), null, null);

    /**
     * The process of the clients, and the traffic of the load's sockets.
     *
     * @param byNode in the order of the target's nodes
     */
    public record ClientSide(ClientInfo info, Network network, List<Network> byNode) {}

    /**
     * The shares of the hosts of a run on several hosts.
     *
     * @param toleratedLost how many may be lost for the run to be valid; null for a run on one host
     * @param insecure whether their messages were neither encrypted nor authenticated; null for a run on one host
     */
    public record FleetSide(
            List<HostResult> hosts,
            @Nullable Integer toleratedLost,
            @Nullable Boolean insecure) {}

    Findings(RunContext run, RecordedFigures recorded, Evidence evidence) {
        this.run = run;
        this.recorded = recorded;
        this.evidence = evidence;
    }

    /** What the clients recorded. */
    public RecordedFigures recorded() {
        return recorded;
    }

    /** What the verdict needs in addition to the result. */
    public Evidence evidence() {
        return evidence;
    }

    /** Seconds from the start of the load to the start of the measurement, pauses excluded. */
    public double measureStart() {
        return (run.timeline().measureStart() - run.timeline().origin()) / 1e9;
    }

    /** Adds a possible cause of waits; times are in seconds since the start of the load, pauses excluded. */
    public void suspect(Suspect suspect) {
        evidence.suspect(suspect.since(measureStart()));
    }

    /** Adds a period in which a check of a server waited for its answer, in seconds since the start of the load, pauses excluded. */
    public void lateAnswer(Silence unanswered) {
        evidence.lateAnswer(unanswered.since(measureStart()));
    }

    /** Adds a period without answers from a server, in seconds since the start of the load, pauses excluded. */
    public void silence(Silence silence) {
        evidence.silence(silence.since(measureStart()));
    }

    public void client(ClientSide found) {
        client = found;
    }

    ClientSide client() {
        return Objects.requireNonNull(client, "no probe has observed the client");
    }

    /** The clients' process, whose collector did not pause while the whole process stood still. */
    ClientInfo clientInfo() {
        ClientInfo found = client().info();
        double stopped = evidence.collectedWhileStandingStill(recorded.seconds());
        return Records.with(found, "gcPauseSeconds", Math.max(0, found.gcPauseSeconds() - stopped));
    }

    public void fleet(FleetSide found) {
        fleet = found;
    }

    FleetSide fleet() {
        return fleet;
    }

    /** What the servers counted so far; probes add to it. */
    public ServerCounts.Collector counts() {
        return counts;
    }

    /** Adds samples within operations on one server, and what they cost; of several servers, the one with the highest cost counts. */
    public void sampled(List<Hit> found, Sampling cost) {
        hits.addAll(found);
        evidence.sampled(found);
        if (sampling == null || cost.serverCores() > sampling.serverCores()) {
            sampling = cost;
        }
    }

    /** Adds a server that clients connect to. */
    public void server(ServerInfo found) {
        servers.add(found);
    }

    /** Adds settings in force on the server with this URL. */
    public void settings(String url, Map<String, String> inForce) {
        servers.replaceAll(s -> s.url().equals(url) ? with(s, inForce) : s);
    }

    private static ServerInfo with(ServerInfo server, Map<String, String> inForce) {
        Map<String, String> settings = new TreeMap<>(server.settings());
        settings.putAll(inForce);
        return Records.with(server, "settings", settings);
    }

    /** The servers that clients connect to, as far as known. */
    public List<ServerInfo> servers() {
        return List.copyOf(servers);
    }

    /** Adds the machine of a node; if it could not be observed, only the node's name. */
    public void nodeMachine(String node, @Nullable MachineProfile found) {
        machine(node, found, nodeMachines);
    }

    /** Adds a machine that is not a node's: the client's, or one that was watched; if it could not be observed, only its name. */
    public void otherMachine(String name, @Nullable MachineProfile found) {
        machine(name, found, otherMachines);
    }

    /** Whether this machine is one of those that were added. */
    public boolean hasMachine(Environment machine) {
        String boot = machine.kernelBoot();
        return boot != null
                && Stream.concat(nodeMachines.stream(), otherMachines.stream())
                        .flatMap(known -> Stream.ofNullable(known.environment()))
                        .anyMatch(known -> Objects.equals(boot, known.kernelBoot()));
    }

    private void machine(String name, @Nullable MachineProfile found, List<MachineProfile> all) {
        if (found == null) {
            unobserved.add(name);
        } else {
            all.add(found);
        }
    }

    /** Adds a note about something that could not be read, unless it is there. */
    public void note(Remark note) {
        notes.add(note);
    }

    public void explained(Explained found) {
        explained = found;
    }

    /** @param rows number of rows of the table after the load; -1: unknown */
    public void rowsAfter(long rows) {
        rowsAfter = rows;
    }

    /** Adds the results of the checks of the tables after the load. */
    public void checked(List<Remark> found) {
        checks.addAll(found);
        found.stream()
                .filter(remark -> remark.severity() == RemarkCode.Severity.NOT_VALID)
                .forEach(evidence::failedCheck);
        found.stream()
                .filter(remark -> remark.severity() == RemarkCode.Severity.WARNING)
                .forEach(evidence::caution);
    }

    /** What the servers and machines have reported so far. */
    public ServerProfile profile() {
        RunMachines machines =
                new RunMachines(List.copyOf(nodeMachines), List.copyOf(otherMachines), List.copyOf(unobserved));
        return new ServerProfile(
                counts.counts(),
                machines,
                Bottleneck.of(machines, run.signals().pause().measuredSeconds()),
                operationWaits(Bottleneck.isAnyCpuFull(machines)),
                explained,
                List.copyOf(notes));
    }

    private @Nullable OperationWaits operationWaits(boolean isCpuFull) {
        Sampling cost = sampling;
        if (cost == null) {
            return null;
        }
        SlowOperations slow = new SlowOperations(hits, isCpuFull, run.signals().schedule() != null);
        recorded.times(Time.TOTAL)
                .forEach((operation, times) -> slow.add(
                        operation, run.timeline().shapes().get(operation).name(), times));
        boolean isExplained = evidence.standstill(recorded.seconds()) > 0;
        return slow.result(recorded.seconds(), cost, isExplained);
    }

    long rowsAfter() {
        return rowsAfter;
    }

    List<Remark> checks() {
        return checks;
    }
}
