package io.pgstress.verdict;

import io.pgstress.machine.Environment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Known problems of the machines of a run, found before the load; one warning each. */
public final class MachineProblems {
    /** Files that the JVM and the control connections need beside one socket per client. */
    private static final int OWN_FILES = 100;

    /** With fewer CPUs, one of them can receive for all. */
    private static final int MANY_CPUS = 4;

    private static final String ALWAYS = "always";

    private MachineProblems() {}

    /**
     * Problems of the machine that generates the load.
     *
     * @param isRemote whether a server is on another machine
     */
    public static List<String> client(Environment client, int clients, boolean isRemote) {
        List<String> problems = new ArrayList<>();
        Long files = client.openFiles();
        if (files != null && files < clients + OWN_FILES) {
            problems.add(String.format(
                    Locale.ROOT,
                    "the client may open %,d files and sockets, and runs %,d clients: raise the limit (ulimit -n)",
                    files,
                    clients));
        }
        if (isRemote) {
            addQueue(problems, "the client's machine", client);
        }
        return problems;
    }

    /** Problems of a server's machine. */
    public static List<String> server(String name, Environment server) {
        List<String> problems = new ArrayList<>();
        if (ALWAYS.equals(server.hugePages())) {
            problems.add("transparent huge pages are on for all memory of " + name
                    + ": they can cause stalls; set /sys/kernel/mm/transparent_hugepage/enabled to madvise");
        }
        addQueue(problems, name, server);
        return problems;
    }

    private static void addQueue(List<String> problems, String name, Environment machine) {
        Integer cpus = machine.cpus();
        if (Boolean.TRUE.equals(machine.singleReceiveQueue()) && cpus != null && cpus >= MANY_CPUS) {
            problems.add("a network card of " + name + " has a single receive queue: one of " + cpus
                    + " CPUs handles all its interrupts; rps_cpus can distribute the work");
        }
    }

    /**
     * The problem of a node that clients connect to and that holds data, so that sessions on other nodes connect to it, too: it
     * accepts fewer connections than both need; null if it accepts enough.
     *
     * @param limit its {@code max_connections}
     * @param own number of the clients' sessions on it
     * @param others number of the clients' sessions on the other nodes
     */
    public static @Nullable String sessions(String name, int limit, int own, int others) {
        return limit >= own + others
                ? null
                : String.format(
                        Locale.ROOT,
                        "%s accepts %,d connections (max_connections), fewer than its %,d sessions of clients and one"
                                + " for each of the %,d on other nodes: their statements may have to wait for one, or"
                                + " fail",
                        name,
                        limit,
                        own,
                        others);
    }

    /**
     * The problem of a node that clients do not connect to: it accepts fewer connections than they have sessions on the others;
     * null if it accepts enough.
     *
     * @param sessions number of the clients' sessions on the nodes that they connect to
     */
    public static @Nullable String sessions(String name, Environment node, int sessions) {
        Integer limit = node.maxConnections();
        return limit == null || limit >= sessions
                ? null
                : String.format(
                        Locale.ROOT,
                        "%s accepts %,d connections (max_connections), fewer than the %,d sessions of the clients:"
                                + " their statements may have to wait for one, or fail",
                        name,
                        limit,
                        sessions);
    }

    /**
     * The problem of a load that is meant to use disks, if its data fit into memory; null if they do not, or if the memory is
     * unknown.
     *
     * @param what the data, followed by a verb, such as {@code the table has}
     * @param bytes 0 if unknown
     * @param servers the machines that hold the data
     */
    public static @Nullable String cached(String what, long bytes, Collection<Environment> servers) {
        long memory = servers.stream()
                .map(Environment::memoryBytes)
                .filter(Objects::nonNull)
                .mapToLong(Long::longValue)
                .sum();
        if (bytes == 0) {
            return "--disk-bound: the size of the tables is not known before the run";
        }
        return memory == 0 || bytes > memory
                ? null
                : String.format(
                        Locale.ROOT,
                        "--disk-bound: %s %.1f GB and the servers have %.1f GB of memory: their caches can hold all of"
                                + " it",
                        what,
                        bytes / 1e9,
                        memory / 1e9);
    }
}
