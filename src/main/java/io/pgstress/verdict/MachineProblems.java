package io.pgstress.verdict;

import io.pgstress.machine.Environment;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Known problems of the machines of a run, found before the load; one warning each. */
public final class MachineProblems {
    /** Files that the JVM and the control connections need beside one socket per client. */
    private static final int OWN_FILES = 100;

    /** With fewer CPUs, one of them can receive for all. */
    private static final int MANY_CPUS = 4;

    private static final String ALWAYS = "always";

    private static final Pattern LOOPBACK = Pattern.compile("localhost|127\\..*|::1");

    /** What a GTM (GTM_MAX_THREADS) and a GTM proxy (GTM_PROXY_MAX_CONNECTIONS) accept unless they were built for more. */
    private static final int GTM_SESSIONS = 1024;

    private MachineProblems() {}

    /**
     * Problems of the machine that generates the load.
     *
     * @param isRemote whether a server is on another machine
     */
    public static List<Remark> client(Environment client, int clients, boolean isRemote) {
        List<Remark> problems = new ArrayList<>();
        Long files = client.openFiles();
        if (files != null && files < clients + OWN_FILES) {
            problems.add(RemarkCode.OPEN_FILES
                    .with("limit", files)
                    .with("clients", clients)
                    .remark());
        }
        if (isRemote) {
            addQueue(problems, "the client's machine", client);
        }
        return problems;
    }

    /** Problems of a server's machine. */
    public static List<Remark> server(String name, Environment server) {
        List<Remark> problems = new ArrayList<>();
        if (ALWAYS.equals(server.hugePages())) {
            problems.add(RemarkCode.HUGE_PAGES.with("machine", name).remark());
        }
        addQueue(problems, name, server);
        return problems;
    }

    private static void addQueue(List<Remark> problems, String name, Environment machine) {
        Integer cpus = machine.cpus();
        if (Boolean.TRUE.equals(machine.singleReceiveQueue()) && cpus != null && cpus >= MANY_CPUS) {
            problems.add(RemarkCode.SINGLE_RECEIVE_QUEUE
                    .with("machine", name)
                    .with("cpus", cpus)
                    .remark());
        }
    }

    /**
     * The problem of a node with data that allows fewer prepared transactions than sessions may have at the same time, when
     * each commits in two phases; null if it allows enough.
     *
     * @param limit its {@code max_prepared_transactions}; null if unknown
     * @param sessions number of the clients' sessions on all nodes
     */
    public static @Nullable Remark prepared(String name, @Nullable Integer limit, int sessions) {
        return limit == null || limit >= sessions
                ? null
                : RemarkCode.FEW_PREPARED
                        .with("server", name)
                        .with("limit", limit)
                        .with("sessions", sessions)
                        .remark();
    }

    /**
     * A server that clients connect to.
     *
     * @param settings those that were changed, among them where it finds the GTM of a Postgres-XL
     * @param sessions number of the clients' sessions on it
     */
    public record Coordinator(String host, Map<String, String> settings, int sessions) {
        /** The address of its GTM or GTM proxy; empty if it has none. A loopback address is one of its host. */
        private String gtm() {
            String gtm = settings.getOrDefault("gtm_host", "");
            String at = LOOPBACK.matcher(gtm).matches() ? host : gtm;
            return gtm.isEmpty() ? "" : at + ":" + settings.getOrDefault("gtm_port", "");
        }
    }

    /** The problems of a GTM or GTM proxy that coordinators on several hosts use, or more sessions than it may accept. */
    public static List<Remark> gtms(List<Coordinator> coordinators) {
        Map<String, List<Coordinator>> users = new TreeMap<>();
        coordinators.forEach(coordinator -> users.computeIfAbsent(coordinator.gtm(), gtm -> new ArrayList<>())
                .add(coordinator));
        users.remove("");
        List<Remark> problems = new ArrayList<>();
        users.forEach((gtm, some) -> {
            Set<String> hosts = some.stream().map(Coordinator::host).collect(Collectors.toCollection(TreeSet::new));
            int sessions = some.stream().mapToInt(Coordinator::sessions).sum();
            if (hosts.size() > 1 || sessions > GTM_SESSIONS) {
                problems.add(RemarkCode.GTM_SHARED
                        .with("sessions", sessions)
                        .with("hosts", String.join(", ", hosts))
                        .with("address", gtm)
                        .remark());
            }
        });
        return problems;
    }

    /**
     * The problem of a node that accepts fewer connections than are needed; null if it accepts enough.
     *
     * @param limit its {@code max_connections}; null if unknown
     * @param own number of the clients' sessions on it
     * @param others number of the clients' sessions on the other nodes, each of which connects to it
     */
    public static @Nullable Remark sessions(String name, @Nullable Integer limit, int own, int others) {
        return limit == null || limit >= own + others
                ? null
                : RemarkCode.FEW_CONNECTIONS
                        .with("server", name)
                        .with("limit", limit)
                        .with("needed", own + others)
                        .with("own", own == 0 ? null : Integer.valueOf(own))
                        .with("others", others)
                        .remark();
    }
}
