package io.pgstress.probe;

import io.pgstress.machine.Environment;
import io.pgstress.probe.server.ServerList;
import io.pgstress.result.Remark;
import io.pgstress.runner.Findings;
import io.pgstress.runner.Probe;
import io.pgstress.runner.RunContext;
import io.pgstress.target.Node;
import io.pgstress.verdict.MachineProblems;
import io.pgstress.verdict.MachineProblems.Coordinator;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Warns of known problems of the servers' machines before the load. */
public final class Preflight implements Probe {
    private final RunContext run;
    private final Servers servers;
    private final StatementPlans plans;
    private final Set<Remark> problems = new HashSet<>();

    /** @param plans tell where statements are committed */
    public Preflight(RunContext run, Servers servers, StatementPlans plans) {
        this.run = run;
        this.servers = servers;
        this.plans = plans;
    }

    @Override
    public void start() {
        List<@Nullable Remark> found = new ArrayList<>();
        int sessions = run.target().nodes().stream().mapToInt(this::sessions).sum();
        for (Node node : run.target().nodes()) {
            if (servers.of(node).server().holdsData()) {
                int own = sessions(node);
                found.add(MachineProblems.sessions(node.url(), node.facts().maxConnections(), own, sessions - own));
            }
        }
        found.addAll(MachineProblems.gtms(run.target().nodes().stream()
                .map(node -> new Coordinator(
                        node.connector().endpoint().host(), node.facts().changedSettings(), sessions(node)))
                .toList()));
        boolean mayPrepare = run.target().dialect().isCluster() && plans.mayCommitInTwoPhases();
        Set<String> kernels = new HashSet<>();
        for (WatchedServer watched : servers.all()) {
            Environment environment = watched.environment();
            if (environment != null) {
                ServerList.ObservedServer server = watched.server();
                if (server.node() == null) {
                    found.add(MachineProblems.sessions(server.name(), environment.maxConnections(), 0, sessions));
                }
                if (mayPrepare && server.holdsData()) {
                    found.add(MachineProblems.prepared(server.name(), environment.maxPrepared(), sessions));
                }
                boolean isNew = environment.kernelBoot() == null || kernels.add(environment.kernelBoot());
                if (isNew && !server.local()) { // a shared host has a warning of its own
                    found.addAll(MachineProblems.server(server.name(), environment));
                }
            }
        }
        found.stream().filter(Objects::nonNull).forEach(problems::add);
        problems.forEach(run::warn);
    }

    /** The number of the clients' sessions on a node; those of a transaction pooler are unknown, and not counted. */
    private int sessions(Node node) {
        return node.sharesSessions() ? 0 : node.connections(run.spec().pool());
    }

    @Override
    public void contribute(Findings findings) {
        problems.forEach(findings.evidence()::caution);
    }
}
