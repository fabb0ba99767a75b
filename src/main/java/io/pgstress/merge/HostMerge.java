package io.pgstress.merge;

import static io.pgstress.result.OperationMerge.rate;
import static io.pgstress.result.OperationMerge.sum;

import io.pgstress.result.ClientInfo;
import io.pgstress.result.Network;
import io.pgstress.result.NodeResult;
import io.pgstress.result.OperationMerge;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RunResult;
import io.pgstress.result.ServerInfo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Merges the machines of several results: load generators are added up, servers and nodes are matched by URL. */
final class HostMerge {
    private HostMerge() {}

    static ClientInfo clients(List<RunResult> hosts) {
        List<ClientInfo> clients = hosts.stream().map(RunResult::client).toList();
        double cpuMicros = rate(hosts, h -> h.client().cpuMicrosPerOperation() * ok(h));
        long ok = sum(hosts, HostMerge::ok);
        Map<String, String> pool = new LinkedHashMap<>();
        clients.forEach(c -> pool.putAll(c.pool()));
        return new ClientInfo(
                words(clients, ClientInfo::jvm),
                words(clients, ClientInfo::os),
                (int) sum(clients, ClientInfo::cpus),
                words(clients, ClientInfo::threadKind),
                pool,
                rate(clients, ClientInfo::cpuCoresUsed),
                ok == 0 ? 0 : cpuMicros / ok,
                rate(clients, ClientInfo::gcPauseSeconds),
                greatest(clients),
                clients.stream().anyMatch(c -> c.residentBytes() == null)
                        ? null
                        : sum(clients, c -> Objects.requireNonNullElse(c.residentBytes(), 0L)),
                ownTurnShare(hosts));
    }

    /** The share over all operations; null if it is unknown for one of the hosts. */
    private static @Nullable Double ownTurnShare(List<RunResult> hosts) {
        long ok = sum(hosts, HostMerge::ok);
        boolean isKnown = hosts.stream().allMatch(h -> h.client().ownTurnShare() != null);
        return ok == 0 || !isKnown
                ? null
                : Double.valueOf(rate(
                                hosts,
                                h -> Objects.requireNonNullElse(h.client().ownTurnShare(), 0.0) * ok(h))
                        / ok);
    }

    private static long ok(RunResult host) {
        return host.operations().values().stream()
                .mapToLong(OperationResult::completed)
                .sum();
    }

    private static @Nullable Double greatest(List<ClientInfo> clients) {
        Double greatest = null;
        for (ClientInfo client : clients) {
            Double load = client.loadAverage();
            if (load != null && (greatest == null || load > greatest)) {
                greatest = load;
            }
        }
        return greatest;
    }

    private static String words(List<ClientInfo> clients, Function<ClientInfo, String> word) {
        return clients.stream().map(word).distinct().collect(Collectors.joining(" / "));
    }

    static List<ServerInfo> servers(List<RunResult> hosts) {
        Map<String, ServerInfo> servers = new LinkedHashMap<>();
        hosts.forEach(h -> h.servers().forEach(s -> servers.putIfAbsent(s.url(), s)));
        return List.copyOf(servers.values());
    }

    static List<NodeResult> nodes(List<RunResult> hosts) {
        Map<String, List<NodeResult>> byUrl = new LinkedHashMap<>();
        hosts.forEach(h -> h.nodes()
                .forEach(n ->
                        byUrl.computeIfAbsent(n.url(), u -> new ArrayList<>()).add(n)));
        List<NodeResult> merged = new ArrayList<>();
        byUrl.forEach((url, parts) -> merged.add(new NodeResult(
                url,
                (int) sum(parts, NodeResult::clients),
                OperationMerge.byName(parts.stream().map(NodeResult::operations).toList()),
                parts.stream().anyMatch(p -> p.network() == null)
                        ? null
                        : network(parts.stream().map(NodeResult::network).toList()))));
        return merged;
    }

    static Network network(List<? extends @Nullable Network> parts) {
        List<? extends Network> known = parts.stream().filter(Objects::nonNull).toList();
        return new Network(
                known.stream().mapToDouble(Network::inMbitPerSecond).sum(),
                known.stream().mapToDouble(Network::outMbitPerSecond).sum(),
                known.stream().mapToLong(Network::bytesIn).sum(),
                known.stream().mapToLong(Network::bytesOut).sum());
    }
}
