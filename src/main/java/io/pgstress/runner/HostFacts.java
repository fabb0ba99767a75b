package io.pgstress.runner;

import io.pgstress.dataset.Table;
import io.pgstress.operation.PostRunCheck;
import io.pgstress.plan.ClientThreads;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.StatementMode;
import io.pgstress.result.ClientInfo;
import io.pgstress.result.DatasetInfo;
import io.pgstress.result.RunInfo;
import io.pgstress.result.ServerInfo;
import io.pgstress.result.ToolInfo;
import io.pgstress.target.Node;
import io.pgstress.target.Target;
import io.pgstress.target.driver.Connector;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a result says of program, run, client, servers and data set. */
final class HostFacts {
    /** A setting's value may hold one: {@code primary_conninfo=... password=...}. */
    private static final Pattern SECRET = Pattern.compile("(?i)(password=)\\S+");

    /** Less than {@link ServerWatch} waits for an answer. */
    private static final String MAX_COUNTING = "8s";

    private HostFacts() {}

    static ToolInfo tool() {
        Package p = HostFacts.class.getPackage();
        String version = p == null ? null : p.getImplementationVersion();
        return new ToolInfo(version == null ? "development" : version, commit(), Connector.driverVersion());
    }

    /** The commit that the jar was built of, by its manifest; empty where the build did not say. */
    private static String commit() {
        try (InputStream manifest = ClassLoader.getSystemResourceAsStream(JarFile.MANIFEST_NAME)) {
            String commit = manifest == null
                    ? null
                    : new Manifest(manifest).getMainAttributes().getValue("Implementation-Commit");
            return commit == null || commit.startsWith("${") ? "" : commit; // built without a repository
        } catch (IOException e) {
            return "";
        }
    }

    /** @param started when the load began */
    static RunInfo run(RunSpec spec, Instant started, List<RunInfo.PhaseLength> phases, boolean partial) {
        Map<String, Object> scenario = new TreeMap<>();
        spec.options().texts().forEach((name, values) -> {
            if (!name.equals("url")) {
                List<String> told = values.stream()
                        .map(v -> SECRET.matcher(v).replaceAll("$1***"))
                        .toList();
                scenario.put(name, told.size() == 1 ? told.get(0) : told);
            }
        });
        scenario.put("url", spec.endpoints().stream().map(Object::toString).toList());
        spec.table().ifPresent(table -> scenario.put("table", table.toString()));
        return new RunInfo(
                UUID.randomUUID().toString(),
                started.truncatedTo(ChronoUnit.MILLIS).toString(),
                List.of(),
                spec.seed(),
                scenario,
                phases,
                partial);
    }

    static String name(ClientThreads kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    static ClientInfo client(
            ClientThreads kind, Map<String, String> pool, Snapshots snapshots, long ok, @Nullable Double ownTurnShare) {
        double load = CpuMeter.loadAverage();
        return new ClientInfo(
                System.getProperty("java.vm.name") + " " + Runtime.version(),
                System.getProperty("os.name") + " " + System.getProperty("os.arch"),
                Runtime.getRuntime().availableProcessors(),
                name(kind),
                pool,
                snapshots.cpuCores(),
                ok == 0 ? 0 : snapshots.cpuSeconds() * 1e6 / ok,
                snapshots.gcSeconds(),
                load < 0 ? null : load,
                residentBytes(),
                ownTurnShare);
    }

    private static @Nullable Long residentBytes() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
                if (line.startsWith("VmRSS:")) {
                    return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
                }
            }
        } catch (IOException e) {
            return null; // no /proc on this system
        }
        return null;
    }

    /**
     * The servers that clients connect to.
     *
     * @param firstLoad the load average of the first one's machine, where nothing else tells it
     * @param inForce by a server's URL, the settings that were asked for as they are at the end
     */
    static List<ServerInfo> servers(
            Target target,
            RunSpec spec,
            ClusterWatch cluster,
            @Nullable Double firstLoad,
            Map<String, Map<String, String>> inForce) {
        List<ServerInfo> servers = new ArrayList<>();
        for (Node node : target.nodes()) {
            Map<String, String> settings = new TreeMap<>(node.facts().changedSettings());
            settings.putAll(inForce.getOrDefault(node.url(), Map.of()));
            PeerWatch.Seen seen = cluster.seen(node);
            Double load = seen == null ? null : seen.loadAverage();
            servers.add(new ServerInfo(
                    node.url(),
                    seen == null || seen.role().equals("server") ? "coordinator" : seen.role(),
                    node.facts().version(),
                    target.dialect().name(),
                    settings,
                    spec.statement() == StatementMode.PREPARED ? "text (jsonb), ids as the driver chooses" : "text",
                    load == null && node.equals(target.first()) ? firstLoad : load));
        }
        return servers;
    }

    /**
     * The rows of the table now; -1 where the server is gone, or has not counted them in {@value #MAX_COUNTING}: nobody
     * would wait longer for the answer, and the counting would be in the way of what is measured next.
     */
    static long rows(Target target, Table table) {
        try (Connection connection = target.first().connector().openControl();
                Statement statement = connection.createStatement();
                ResultSet row = countRows(statement, table)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            return -1;
        }
    }

    private static ResultSet countRows(Statement statement, Table table) throws SQLException {
        statement
                .getConnection()
                .setAutoCommit(false); // beyond the transaction a pooler may lend the session to others
        statement.execute("set local statement_timeout = '" + MAX_COUNTING + "'");
        return statement.executeQuery("select count(*) from " + table.name().quoted());
    }

    /** @param rowsAfter -1 where they could not be counted */
    static DatasetInfo dataset(Table table, long rowsAfter, List<PostRunCheck> afterwards) {
        return new DatasetInfo(
                table.name().toString(),
                table.keyType().label(),
                table.rows(),
                rowsAfter,
                table.bytes(),
                table.keys().size(),
                afterwards.stream().map(PostRunCheck::text).toList());
    }

    /** Whether a server is on this machine. */
    static boolean sharesHost(Target target) {
        for (Node node : target.nodes()) {
            try {
                String host = URI.create(node.url().substring("jdbc:".length()).replace("***@", ""))
                        .getHost();
                InetAddress address = InetAddress.getByName(host == null ? "localhost" : host);
                if (address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null) {
                    return true;
                }
            } catch (IOException | IllegalArgumentException e) {
                // several hosts in one URL, or a name that only the driver can resolve: taken as another machine
            }
        }
        return false;
    }
}
