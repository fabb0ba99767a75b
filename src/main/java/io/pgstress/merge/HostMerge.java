package io.pgstress.merge;

import io.pgstress.result.ClientInfo;
import io.pgstress.result.Network;
import io.pgstress.result.NodeResult;
import io.pgstress.result.OperationMerge;
import io.pgstress.result.OperationResult;
import io.pgstress.result.Parts;
import io.pgstress.result.ReachedSessions;
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
public final class HostMerge {
    private HostMerge() {}

    /** The load generators added up. */
    public static ClientInfo clients(List<RunResult> hosts) {
        List<ClientInfo> clients = hosts.stream().map(RunResult::client).toList();
        Parts<ClientInfo> parts = new Parts<>(clients);
        Map<String, String> pool = new LinkedHashMap<>();
        clients.forEach(c -> pool.putAll(c.pool()));
        return new ClientInfo(
                words(clients, ClientInfo::jvm),
                words(clients, ClientInfo::os),
                (int) parts.sum(ClientInfo::cpus),
                words(clients, ClientInfo::threadKind),
                pool,
                parts.rate(ClientInfo::cpuCoresUsed),
                Objects.requireNonNullElse(perOperation(hosts, ClientInfo::cpuMicrosPerOperation), 0.0),
                parts.rate(ClientInfo::gcPauseSeconds),
                clients.stream().anyMatch(c -> c.compilerSeconds() == null)
                        ? null
                        : Double.valueOf(parts.rate(c -> Objects.requireNonNull(c.compilerSeconds()))),
                greatest(clients),
                clients.stream().anyMatch(c -> c.residentBytes() == null)
                        ? null
                        : parts.knownSum(ClientInfo::residentBytes),
                perOperation(hosts, ClientInfo::ownTurnShare));
    }

    /** The mean over all operations; null if there are none, or if it is unknown for one of the hosts. */
    private static @Nullable Double perOperation(List<RunResult> hosts, Function<ClientInfo, @Nullable Double> figure) {
        double sum = 0;
        long operations = 0;
        for (RunResult host : hosts) {
            Double of = figure.apply(host.client());
            if (of == null) {
                return null;
            }
            sum += of * ok(host);
            operations += ok(host);
        }
        return operations == 0 ? null : Double.valueOf(sum / operations);
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
                (int) new Parts<>(parts).sum(NodeResult::clients),
                OperationMerge.byName(parts.stream().map(NodeResult::operations).toList()),
                parts.stream().anyMatch(p -> p.network() == null)
                        ? null
                        : network(parts.stream().map(NodeResult::network).toList()),
                NodeResult.ClientOperations.together(
                        parts.stream().map(NodeResult::clientOperations).toList()),
                ReachedSessions.together(parts.stream().map(NodeResult::reached).toList()))));
        return merged;
    }

    /** The sum of the known parts. */
    public static Network network(List<? extends @Nullable Network> all) {
        List<Network> known = new ArrayList<>(all);
        known.removeIf(Objects::isNull);
        Parts<Network> parts = new Parts<>(known);
        return new Network(
                parts.rate(Network::inMbitPerSecond),
                parts.rate(Network::outMbitPerSecond),
                parts.sum(Network::bytesIn),
                parts.sum(Network::bytesOut));
    }
}
