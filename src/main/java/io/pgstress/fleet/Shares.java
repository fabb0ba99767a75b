package io.pgstress.fleet;

import io.pgstress.fleet.HostGroup.Member;
import io.pgstress.plan.Endpoint;
import io.pgstress.plan.RunLoadOptions;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Option;
import io.pgstress.target.Node;
import io.pgstress.target.Target;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Divides a run among hosts: each server's clients are spread over all hosts, with remainders where there are fewer so far.
 *
 * @param isPrivate whether URLs may keep their passwords
 */
record Shares(
        Map<String, List<String>> options, Map<String, String> files, RunSpec spec, Target target, boolean isPrivate) {

    /** Without the options, which may contain passwords. */
    @Override
    public String toString() {
        return "Shares[nodes=" + target.nodes().size() + "]";
    }

    /** @throws InvalidPlanException if there are fewer clients than hosts */
    List<RemoteHost> of(List<Member> members) {
        int hosts = members.size();
        int[][] clients =
                clients(hosts, target.nodes().stream().map(Node::clients).toList());
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
            shares.add(new RemoteHost(
                    members.get(host),
                    name(host, members),
                    new Message.Work(host, hosts, first, all, nodes, options(first, own, all, urls), files),
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

    /** Clients by host and server. */
    static int[][] clients(int hosts, List<Integer> ofNodes) {
        int[][] clients = new int[hosts][ofNodes.size()];
        int next = 0;
        for (int n = 0; n < ofNodes.size(); n++) {
            for (int host = 0; host < hosts; host++) {
                clients[host][n] = ofNodes.get(n) / hosts;
            }
            for (int rest = ofNodes.get(n) % hosts; rest > 0; rest--) {
                clients[next][n]++;
                next = (next + 1) % hosts;
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
                RunOptions.HOSTS, RunOptions.CLIENTS_PER_SERVER, RunOptions.COORDINATORS, RunOptions.ALTER_SYSTEM)) {
            own.remove(done.name());
        }
        return own;
    }
}
