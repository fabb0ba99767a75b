package io.pgstress.probe;

import io.pgstress.runner.Probe;
import io.pgstress.runner.RunContext;
import io.pgstress.target.loop.LoadThreads;
import java.util.ArrayList;
import java.util.List;

/** The list of probes. To add one, write its class and add a line here; a test reports classes without a line. */
public final class Probes {
    private Probes() {}

    /** The probes of a run, in the order in which they observe and contribute. */
    public static List<Probe> of(RunContext run, LoadThreads threads) {
        List<Probe> all = new ArrayList<>(ofClients(run, threads));
        all.addAll(ofServers(run));
        return List.copyOf(all);
    }

    /** The probes of the process that runs the clients. */
    public static List<Probe> ofClients(RunContext run, LoadThreads threads) {
        Canary canary = new Canary(run, threads);
        return List.of(
                new ClientUsage(run, threads, canary),
                canary,
                new CollectorPauses(run),
                new Steal(run),
                new ClientMachine(run));
    }

    /** The probes of a command whose clients are on other hosts: those of the servers, and of its own machine. */
    public static List<Probe> ofCommand(RunContext run) {
        List<Probe> all = new ArrayList<>(ofServers(run));
        all.add(new CommandMachine(run)); // the last, because it asks for the machines of all others
        return List.copyOf(all);
    }

    /** The probes of the servers and tables. */
    private static List<Probe> ofServers(RunContext run) {
        Servers servers = new Servers(run);
        StatementPlans plans = new StatementPlans(run, servers);
        return List.of(
                servers,
                new WatchedHosts(run),
                new Preflight(run, servers, plans),
                plans,
                new SettingsInForce(run, servers),
                new PostRunChecks(run, servers),
                new TableRows(run, servers));
    }
}
