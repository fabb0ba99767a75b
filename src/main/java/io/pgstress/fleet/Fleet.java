package io.pgstress.fleet;

import io.pgstress.fleet.HostGroup.GroupListener;
import io.pgstress.fleet.HostGroup.GroupSettings;
import io.pgstress.fleet.HostGroup.Member;
import io.pgstress.fleet.RemoteHost.RemoteHosts;
import io.pgstress.fleet.Wire.Envelope;
import io.pgstress.fleet.Wire.WireException;
import io.pgstress.plan.Endpoint;
import io.pgstress.plan.RunLoadOptions;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Option;
import io.pgstress.runner.Coordination;
import io.pgstress.target.Node;
import io.pgstress.target.Target;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.driver.TargetException;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The agents that a command works with, for one test after another. A host that was lost takes part again in the next test if its
 * agent is back. Thread-safe.
 */
public final class Fleet implements GroupListener, AutoCloseable {
    private static final long LOOK_MILLIS = 50;
    private static final long CALL_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** Agents that work for a command that was killed are free again within this time. */
    private static final long MAX_BUSY_NANOS = TimeUnit.SECONDS.toNanos(8);

    /** Agents of another version remain. */
    private static final long MAX_REFUSED_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Wire wire;
    private final int agents;
    private final int mayBeLost;
    private final boolean hasServerPerAgent;
    private final SecureRandom random = new SecureRandom();
    private final Map<Member, Message.Hello> found = new ConcurrentHashMap<>();
    private final Map<Member, String> problems = new ConcurrentHashMap<>();
    private final List<String> join;
    private final HostGroup group;
    private volatile long test;
    private volatile @Nullable FleetRun current;

    /**
     * @param version of this program; agents have the same
     * @param agents number of hosts of a command
     * @param mayBeLost how many of them may be lost for a result to be valid
     * @param hasServerPerAgent whether each host has clients on one server only
     * @throws TargetException if an address to join is malformed or unknown
     */
    public Fleet(GroupSettings settings, String version, int agents, int mayBeLost, boolean hasServerPerAgent) {
        this.wire = new Wire(version);
        this.agents = agents;
        this.mayBeLost = mayBeLost;
        this.hasServerPerAgent = hasServerPerAgent;
        this.join = settings.join();
        try {
            this.group = new HostGroup(settings, this);
        } catch (IOException | IllegalArgumentException e) {
            throw notJoined(e);
        }
    }

    private static TargetException notJoined(Exception e) {
        return new TargetException("--join: " + e.getMessage(), e);
    }

    /**
     * Joins the group and waits for the agents.
     *
     * @param maxNanos longest wait
     * @param isStopped whether to give up
     * @throws TargetException if this host cannot join, or there are too few free agents
     */
    public void open(long maxNanos, BooleanSupplier isStopped) throws InterruptedException {
        try {
            group.join();
        } catch (IOException e) {
            throw notJoined(e);
        }
        await(maxNanos, isStopped);
    }

    private void await(long maxNanos, BooleanSupplier isStopped) throws InterruptedException {
        long start = System.nanoTime();
        found.clear();
        problems.clear();
        long call = 0;
        for (List<Member> free = free(); free.size() < agents; free = free()) {
            long now = System.nanoTime();
            if (isStopped.getAsBoolean()) {
                throw new TargetException("interrupted while waiting for agents", new InterruptedException());
            }
            if (now - start > Math.min(maxNanos, patience())) {
                throw new TargetException(tooFew(free));
            }
            if (call == 0 || now - call > CALL_NANOS) {
                call = now;
                group.sendToAll(wire.encode(test, new Message.Call(join)));
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    /** Whether to wait longer depends on what is missing: agents that have not started may, others do not change. */
    private long patience() {
        if (found.size() >= agents) {
            return MAX_BUSY_NANOS;
        }
        return found.size() + problems.size() >= agents ? MAX_REFUSED_NANOS : Long.MAX_VALUE;
    }

    private List<Member> chosen(int hosts) {
        List<Member> free = free();
        if (free.size() < hosts) {
            throw new TargetException(tooFew(free)); // one has just left
        }
        return free.subList(0, hosts);
    }

    private List<Member> free() {
        return found.entrySet().stream()
                .filter(e -> e.getValue().busyWith().isEmpty())
                .map(Map.Entry::getKey)
                .sorted(Comparator.comparing(Member::name).thenComparing(Member::address))
                .toList();
    }

    /** @param free the agents that were free when they were counted: another may be by now */
    private String tooFew(List<Member> free) {
        StringBuilder text = new StringBuilder("--agents: " + agents + (agents == 1 ? " is" : " are") + " needed, and "
                + (free.isEmpty() ? "none is" : free.size() + (free.size() == 1 ? " is" : " are")) + " free");
        free.forEach(member -> text.append("; ").append(member));
        Map<String, String> others = new TreeMap<>();
        found.forEach((member, hello) -> {
            if (!hello.busyWith().isEmpty()) {
                others.put(member.toString(), "works for " + hello.busyWith());
            }
        });
        problems.forEach((member, why) -> others.put(member.toString(), why));
        others.forEach(
                (member, why) -> text.append("; ").append(member).append(' ').append(why));
        group.untrusted()
                .forEach(address -> text.append("; no TLS with ")
                        .append(address)
                        .append(": see whether both hosts have certificates of one CA, which have not expired"));
        return text.append("; start more with: stress agent").toString();
    }

    private void send(Member to, Message message) {
        group.send(to, wire.encode(test, message));
    }

    /**
     * Decides for all hosts in the next run.
     *
     * @param hosts number of hosts of the run, at most that of the agents
     * @param options texts of the run's options
     * @param files contents of the files that options name
     * @param isPrivate whether nobody else can read what is sent, so that URLs may keep their passwords
     * @param probes those of the servers
     * @param maxNanos longest wait for the agents
     */
    public Coordination coordination(
            int hosts,
            Map<String, List<String>> options,
            Map<String, String> files,
            RunSpec spec,
            Target target,
            boolean isPrivate,
            Coordination.ProbeFactory probes,
            long maxNanos,
            BooleanSupplier isStopped)
            throws InterruptedException {
        test = random.nextLong();
        await(maxNanos, isStopped);
        List<RemoteHost> shares =
                new Shares(options, files, spec, target, isPrivate, hasServerPerAgent).of(chosen(hosts), test);
        FleetRun run = new FleetRun(new RemoteHosts(shares, this::send), mayBeLost, !isPrivate, probes);
        current = run;
        return run;
    }

    @Override
    public void joined(Member member) {
        send(member, new Message.Call(join));
    }

    @Override
    public void left(Member member) {
        found.remove(member);
        FleetRun run = current;
        if (run != null) {
            run.events().left(member);
        }
    }

    @Override
    public void received(Member from, byte[] bytes) {
        Envelope envelope;
        try {
            envelope = wire.decode(bytes);
        } catch (WireException e) {
            problems.put(from, "cannot be used: " + e.getMessage());
            return;
        }
        FleetRun run = current;
        if (envelope.message() instanceof Message.Hello hello) {
            found.put(from, hello);
        } else if (run != null && envelope.test() == test) {
            run.events().received(from, envelope.message());
        }
    }

    /** Ends the current test and leaves the group. */
    @Override
    public void close() {
        FleetRun run = current;
        if (run != null) {
            run.close();
        }
        group.close();
    }

    /**
     * Divides a run among hosts: each server's clients are spread over all hosts, with remainders where there are fewer so far; or
     * over hosts that have no other server.
     *
     * @param isPrivate whether URLs may keep their passwords
     * @param hasServerPerAgent whether each host has one server
     */
    record Shares(
            Map<String, List<String>> options,
            Map<String, String> files,
            RunSpec spec,
            Target target,
            boolean isPrivate,
            boolean hasServerPerAgent) {

        /** Without the options, which may contain passwords. */
        @Override
        public String toString() {
            return "Shares[nodes=" + target.nodes().size() + "]";
        }

        /**
         * @param test the number of the test, which names the hosts' sessions
         * @throws InvalidPlanException if a host would have no clients, or there are more servers than hosts with one each
         */
        List<RemoteHost> of(List<Member> members, long test) {
            int hosts = members.size();
            int[][] clients =
                    clients(hosts, target.nodes().stream().map(Node::clients).toList(), hasServerPerAgent);
            int all = target.nodes().stream().mapToInt(Node::clients).sum();
            if (all < hosts) {
                throw new InvalidPlanException(
                        "--agents: " + hosts + " hosts need at least as many clients (--clients), not " + all);
            }
            List<RemoteHost> shares = new ArrayList<>();
            int first = 0;
            for (int host = 0; host < hosts; host++) {
                int own = 0;
                List<Integer> nodes = new ArrayList<>();
                List<String> urls = new ArrayList<>();
                for (int n = 0; n < target.nodes().size(); n++) {
                    int count = clients[host][n];
                    if (count > 0) {
                        own += count;
                        nodes.add(n);
                        Endpoint endpoint = target.nodes().get(n).connector().endpoint();
                        urls.add((isPrivate ? endpoint.url() : endpoint.withoutSecrets()) + ",clients=" + count);
                    }
                }
                if (own == 0) {
                    throw new InvalidPlanException(
                            "--server-per-agent: each server needs as many clients as it has agents (--clients,"
                                    + " --clients-per-server)");
                }
                shares.add(new RemoteHost(
                        members.get(host),
                        name(host, members),
                        new Message.Work(
                                host,
                                hosts,
                                first,
                                all,
                                nodes,
                                SessionPurpose.AGENT_NAME + Long.toHexString(test) + "-" + host,
                                options(first, own, all, urls),
                                files),
                        own));
                first += own;
            }
            return shares;
        }

        /** With its address if another host has the same name. */
        private static String name(int host, List<Member> members) {
            Member member = members.get(host);
            boolean isUnique =
                    members.stream().filter(m -> m.name().equals(member.name())).count() == 1;
            return isUnique ? member.name() : member.toString();
        }

        /**
         * Clients by host and server.
         *
         * @throws InvalidPlanException if there are more servers than hosts with one each
         */
        static int[][] clients(int hosts, List<Integer> ofNodes, boolean hasServerPerAgent) {
            int servers = ofNodes.size();
            if (hasServerPerAgent && servers > hosts) {
                throw new InvalidPlanException("--server-per-agent: " + servers
                        + " servers need at least as many agents (--agents), not " + hosts);
            }
            int[][] clients = new int[hosts][servers];
            int next = 0;
            for (int n = 0; n < servers; n++) {
                int server = n;
                int[] those = IntStream.range(0, hosts)
                        .filter(host -> !hasServerPerAgent || host % servers == server)
                        .toArray();
                for (int host : those) {
                    clients[host][n] = ofNodes.get(n) / those.length;
                }
                for (int rest = ofNodes.get(n) % those.length; rest > 0; rest--) {
                    clients[those[next++ % those.length]][n]++;
                }
            }
            return clients;
        }

        private Map<String, List<String>> options(int first, int clients, int all, List<String> urls) {
            Map<String, List<String>> own = new LinkedHashMap<>(options);
            spec.table().ifPresent(table -> own.put(RunOptions.TABLE.name(), List.of(table.written())));
            own.put(RunLoadOptions.CLIENTS.name(), List.of(Integer.toString(clients)));
            own.put(RunOptions.URL.name(), urls);
            int pool = spec.pool().size();
            if (pool > 0) {
                own.put(
                        RunOptions.POOL_SIZE.name(),
                        List.of(Long.toString(
                                Math.max(1, (long) pool * (first + clients) / all - (long) pool * first / all))));
            }
            for (Option<?> done : List.of(
                    RunOptions.HOSTS,
                    RunOptions.CLIENTS_PER_SERVER,
                    RunOptions.COORDINATORS,
                    RunOptions.ALTER_SYSTEM)) {
                own.remove(done.name());
            }
            return own;
        }
    }
}
