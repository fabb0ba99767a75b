package io.pgstress.session;

import io.pgstress.importer.BundledData;
import io.pgstress.plan.Endpoint;
import io.pgstress.plan.TableName;
import io.pgstress.plan.server.ServerRequest;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.target.ServerFacts;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.Login;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.driver.TargetException;
import io.pgstress.target.embedded.EmbeddedServer;
import io.pgstress.text.Quoting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The servers that a command starts: the embedded one, and temporary ones with the builds and settings that runs ask for. Each runs until
 * the command ends. Belongs to one thread; any thread may close it.
 */
public final class StartedServers implements AutoCloseable {
    /** Independent of the order of rows, and of hash functions that versions may change. */
    private static final String CONTENT =
            "select count(*) || ' rows, hash ' || coalesce(sum(('x' || substr(md5(t::text), 1, 8))::bit(32)::bigint),"
                    + " 0) from (select _id, data from ";

    private static final String TABLES = "select format('%I.%I', n.nspname, c.relname) from pg_class c"
            + " join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'r'"
            + " and (select count(*) from pg_attribute a where a.attrelid = c.oid and a.attname in ('_id', 'data')) = 2";

    private static final String SETTINGS = "select name, current_setting(name) from pg_settings"
            + " where context <> 'internal' and source in ('default', 'configuration file', 'override') and name !~ '"
            + ServerFacts.OF_THE_PLACE + "'";

    /** A new cluster with the sample and its first WAL file. */
    private static final long NEW_BYTES = 100_000_000;

    private final Path home;
    private final Consumer<String> notes;
    private final Map<ServerRequest, Started> all = new LinkedHashMap<>();

    /**
     * @param home the user's data directory
     * @param notes receives lines for the user
     */
    StartedServers(Path home, Consumer<String> notes) {
        this.home = home;
        this.notes = notes;
    }

    /** A server that runs. */
    static final class Started {
        private final EmbeddedServer server;
        private boolean hasData;
        private TableName table = BundledData.DEFAULT_TABLE;

        private Started(EmbeddedServer server) {
            this.server = server;
        }

        Endpoint endpoint() {
            return new Endpoint(server.url(), 0);
        }

        EmbeddedServer server() {
            return server;
        }

        /** The table under load if the run names none. */
        TableName table() {
            return table;
        }

        /** Sets the table under load of runs that name none. */
        void loads(TableName largest) {
            table = largest;
        }

        /** Whether data are to be imported now; a temporary server has the sample only if a run needs a table. */
        boolean takesData(ServerRequest request, boolean isTableNeeded) {
            boolean takes =
                    !hasData && (server.build() == null || !request.dump().isEmpty() || isTableNeeded);
            hasData |= takes;
            return takes;
        }
    }

    synchronized @Nullable Started running(ServerRequest request) {
        return all.get(request);
    }

    /**
     * Starts a server with statement statistics.
     *
     * @param check throws after a signal
     * @throws TargetException if it cannot be started, or refuses its settings
     */
    Started start(ServerRequest request, Runnable check) {
        Started made = new Started(
                request.isEmbedded() ? EmbeddedServer.open(home) : EmbeddedServer.temporary(home, request, check));
        synchronized (this) {
            all.put(request, made);
        }
        if (!made.server.repaired().isEmpty()) {
            notes.accept(made.server.repaired());
        }
        try (Connection connection = new Connector(made.endpoint(), Login.of("")).open(SessionPurpose.CONTROL)) {
            if (ControlSql.text(connection, "show shared_preload_libraries")
                    .orElse("")
                    .isEmpty()) {
                notes.accept(request + " has no pg_stat_statements, so there are no statement statistics");
            } else {
                ControlSql.execute(connection, "create extension if not exists pg_stat_statements");
            }
            for (Map.Entry<String, String> setting : request.settings().entrySet()) {
                checkInForce(connection, request, setting.getKey(), setting.getValue());
            }
        } catch (SQLException e) {
            throw new TargetException(request + " in " + home + " cannot be used: " + ServerErrors.sampleOf(e), e);
        }
        return made;
    }

    private static void checkInForce(Connection connection, ServerRequest request, String name, String asked)
            throws SQLException {
        String literal = Quoting.literal(name);
        String shown = ControlSql.text(connection, "select current_setting(" + literal + ")")
                .orElse("");
        String unread = "select count(*) from pg_settings where lower(name) = lower(" + literal
                + ") and (source <> 'configuration file' or pending_restart)";
        if (ControlSql.number(connection, unread) > 0) {
            throw new TargetException(
                    "--server-set: " + name + " of " + request + " should be " + asked + ", but is " + shown);
        }
    }

    /**
     * Checks whether as many further servers as this have room for what the largest one has now.
     *
     * @throws TargetException if there is too little space
     */
    void checkRoom(int further) {
        List<EmbeddedServer> servers;
        synchronized (this) {
            servers = all.values().stream().map(Started::server).toList();
        }
        long each = servers.stream().mapToLong(EmbeddedServer::bytes).max().orElse(0);
        try {
            checkRoom(further, each, Files.getFileStore(home).getUsableSpace(), home);
        } catch (IOException e) {
            throw new TargetException("cannot read the free space of " + home + ": " + e.getMessage(), e);
        }
    }

    static void checkRoom(int further, long each, long usable, Path home) {
        if (further * each > usable) {
            throw new TargetException(home + " has " + megabytes(usable) + " left, and " + further
                    + " further servers need " + megabytes(further * each)
                    + "; use fewer --clusters, or another directory with PGSTRESS_HOME");
        }
    }

    /** How much room servers with data take at least, and how much there is. */
    public static String space(Path home, Collection<ServerRequest> servers) {
        long needed = 0;
        for (ServerRequest server : servers) {
            needed += NEW_BYTES + (server.dump().isEmpty() ? 0 : 2 * EmbeddedServer.bytes(Path.of(server.dump())));
        }
        Path existing = home;
        while (!Files.exists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        try {
            return "  " + servers.size()
                    + " servers run at the same time, idle between their blocks; they need at least "
                    + megabytes(needed) + " in " + home + ", which has "
                    + megabytes(Files.getFileStore(existing).getUsableSpace());
        } catch (IOException e) {
            throw new TargetException("cannot read the free space of " + home + ": " + e.getMessage(), e);
        }
    }

    private static String megabytes(long bytes) {
        return Math.round(bytes / 1e6) + " MB";
    }

    /**
     * Leaves nothing to do for autovacuum and the checkpointer of a run's server, if it is temporary, so that it is idle while others are
     * under load.
     */
    public static void rest(PreparedRun run) {
        if (run.build() != null) {
            try (Connection connection = connection(run)) {
                ControlSql.execute(connection, "vacuum (analyze)", "checkpoint");
            } catch (SQLException e) {
                throw failed(run, e);
            }
        }
    }

    /**
     * Compares the documents on temporary servers.
     *
     * @throws TargetException if two servers have different tables of documents, or different rows in one
     */
    public static void checkSameData(Collection<PreparedRun> runs) {
        Map<ServerRequest, Map<String, String>> byServer = new LinkedHashMap<>();
        for (PreparedRun run : runs) {
            if (run.build() != null) {
                byServer.computeIfAbsent(run.spec().server(), server -> contents(run));
            }
        }
        checkSame(byServer);
    }

    /** @param byServer by table of documents, its content */
    static void checkSame(Map<ServerRequest, Map<String, String>> byServer) {
        Set<String> tables = new TreeSet<>();
        byServer.values().forEach(contents -> tables.addAll(contents.keySet()));
        for (String table : tables) {
            Map<ServerRequest, String> contents = new LinkedHashMap<>();
            byServer.forEach((server, all) -> contents.put(server, all.getOrDefault(table, "no such table")));
            if (Set.copyOf(contents.values()).size() > 1) {
                throw new TargetException("the servers have different data in " + table + ": "
                        + contents.entrySet().stream()
                                .map(each -> withDump(each.getKey()) + ": " + each.getValue())
                                .collect(Collectors.joining("; ")));
            }
        }
    }

    private static String withDump(ServerRequest server) {
        return server + (server.dump().isEmpty() ? "" : " with " + server.dump());
    }

    /** By table of documents, its number of rows and their hash. */
    private static Map<String, String> contents(PreparedRun run) {
        Map<String, String> contents = new TreeMap<>();
        List<String> tables = new ArrayList<>();
        try (Connection connection = connection(run)) {
            ControlSql.rows(connection, TABLES, row -> tables.add(row.getString(1)));
            for (String table : tables) {
                contents.put(
                        table,
                        ControlSql.text(connection, CONTENT + table + ") t").orElse(""));
            }
            return contents;
        } catch (SQLException e) {
            throw failed(run, e);
        }
    }

    /** A remark on settings that differ between temporary servers although no run asks for that: versions have different defaults. */
    public static List<Remark> differences(Collection<PreparedRun> runs) {
        Map<String, Map<String, Set<String>>> byName = new TreeMap<>();
        Set<ServerRequest> servers = new LinkedHashSet<>();
        for (PreparedRun run : runs) {
            ServerRequest server = run.spec().server();
            if (run.build() != null && servers.add(server)) {
                settings(run)
                        .forEach((name, value) -> byName.computeIfAbsent(name, n -> new LinkedHashMap<>())
                                .computeIfAbsent(value, v -> new LinkedHashSet<>())
                                .add(server.build()));
            }
        }
        servers.forEach(
                server -> server.settings().keySet().forEach(name -> byName.remove(name.toLowerCase(Locale.ROOT))));
        String differing = byName.entrySet().stream()
                .filter(setting -> setting.getValue().size() > 1)
                .map(setting -> setting.getKey() + " "
                        + setting.getValue().entrySet().stream()
                                .map(value -> value.getKey() + " (" + String.join(", ", value.getValue()) + ")")
                                .collect(Collectors.joining(", ")))
                .collect(Collectors.joining("; "));
        return differing.isEmpty()
                ? List.of()
                : List.of(RemarkCode.DEFAULTS_DIFFER.with("settings", differing).remark());
    }

    private static Map<String, String> settings(PreparedRun run) {
        Map<String, String> settings = new TreeMap<>();
        try (Connection connection = connection(run)) {
            ControlSql.rows(connection, SETTINGS, row -> settings.put(row.getString(1), row.getString(2)));
        } catch (SQLException e) {
            throw failed(run, e);
        }
        return settings;
    }

    private static Connection connection(PreparedRun run) throws SQLException {
        return new Connector(run.spec().endpoints().get(0), Login.of("")).open(SessionPurpose.CONTROL);
    }

    private static TargetException failed(PreparedRun run, SQLException e) {
        return new TargetException(run.spec().server() + ": " + ServerErrors.sampleOf(e), e);
    }

    /** Stops the servers and removes the temporary ones; the embedded one runs on if another command uses it. */
    @Override
    public synchronized void close() {
        List<TargetException> failures = new ArrayList<>();
        for (Map.Entry<ServerRequest, Started> started : all.entrySet()) {
            EmbeddedServer server = started.getValue().server;
            try {
                String crash = server.crash();
                if (!crash.isEmpty()) {
                    notes.accept(started.getKey() + " crashed: " + crash);
                }
                server.close();
            } catch (TargetException e) {
                failures.add(e);
            }
        }
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
    }
}
