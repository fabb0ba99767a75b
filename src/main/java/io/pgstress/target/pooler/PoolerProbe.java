package io.pgstress.target.pooler;

import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.DriverSession;
import io.pgstress.target.driver.PoolerErrors;
import io.pgstress.target.reached.ReachedServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes what is between the client and the server. A session is direct if the server's process and address are those that
 * the client connected to. Otherwise the poolers' own commands are tried, on connections of their own: {@code SHOW
 * pool_version} of pgpool-II, and {@code SHOW VERSION} in PgBouncer's database {@code pgbouncer}. PgBouncer is also recognized by
 * its message about startup options that it refuses.
 */
final class PoolerProbe {
    private static final List<String> PGPOOL_SETTINGS =
            List.of("backend_clustering_mode", "load_balance_mode", "memory_cache_enabled", "num_init_children");

    private static final List<String> PGBOUNCER_SETTINGS = List.of(
            "pool_mode", "max_prepared_statements", "default_pool_size", "max_client_conn", "query_wait_timeout");

    /** A setting of extensions, which every server accepts: the prefix is unknown to it. */
    private static final Map<String, String> PLACEHOLDER = Map.of("pgstress.pooler", "1");

    private final Connector connector;

    PoolerProbe(Connector connector) {
        this.connector = connector;
    }

    /**
     * What is there; null if the session is direct.
     *
     * @param session in autocommit mode
     * @param reached the session's server
     */
    @Nullable
    Pooler find(Connection session, ReachedServer reached) throws SQLException {
        boolean isOwnProcess = DriverSession.isDirect(session);
        if (isOwnProcess && isOwnAddress(session, reached)) {
            return null;
        }
        Pooler pgpool = pgpool();
        if (pgpool != null) {
            return pgpool;
        }
        if (isOwnProcess) {
            return new Pooler(Pooler.TCP, null, "the server's own address is " + reached.name(), Map.of());
        }
        Pooler pgbouncer = pgbouncer(session);
        return pgbouncer == null ? byBehaviour() : pgbouncer;
    }

    private boolean isOwnAddress(Connection session, ReachedServer reached) throws SQLException {
        return connector.endpoint().isUnixSocket()
                ? reached.address() == null
                : reached.isAt(DriverSession.host(session), DriverSession.port(session));
    }

    private @Nullable Pooler pgpool() throws SQLException {
        try (Connection asked = connector.openCommands("");
                Statement statement = asked.createStatement()) {
            String version = shown(statement, "show pool_version");
            if (version == null) {
                return null;
            }
            Map<String, String> settings = new LinkedHashMap<>();
            for (String name : PGPOOL_SETTINGS) {
                String value = shown(statement, "pgpool show " + name);
                if (value != null) {
                    settings.put(name, value);
                }
            }
            return new Pooler(Pooler.PGPOOL, version, "SHOW pool_version", settings);
        }
    }

    /** The last result's only value; null if the server does not know the command. */
    private static @Nullable String shown(Statement statement, String command) {
        try {
            String value = null;
            boolean isResult = statement.execute(command);
            while (isResult || statement.getUpdateCount() >= 0) {
                if (isResult) {
                    try (ResultSet row = statement.getResultSet()) {
                        value = row.next() ? row.getString(1) : value;
                    }
                }
                isResult = statement.getMoreResults();
            }
            return value;
        } catch (SQLException e) {
            return null; // not a command of this server
        }
    }

    private @Nullable Pooler pgbouncer(Connection session) {
        try (Connection console = connector.openCommands("pgbouncer");
                Statement statement = console.createStatement()) {
            String version = shown(statement, "show version");
            if (version == null || !version.startsWith(Pooler.PGBOUNCER)) {
                return null;
            }
            Map<String, String> settings = new LinkedHashMap<>();
            try (ResultSet row = statement.executeQuery("show config")) {
                while (row.next()) {
                    if (PGBOUNCER_SETTINGS.contains(row.getString("key"))) {
                        settings.put(row.getString("key"), row.getString("value"));
                    }
                }
            }
            addThoseOfDatabase(statement, session.getCatalog(), settings);
            return new Pooler(
                    Pooler.PGBOUNCER,
                    version.substring(Pooler.PGBOUNCER.length()).trim(),
                    "SHOW VERSION on its console",
                    settings);
        } catch (SQLException e) {
            return null; // the console is not open to this role, or this is not PgBouncer
        }
    }

    private static void addThoseOfDatabase(Statement statement, String database, Map<String, String> settings)
            throws SQLException {
        try (ResultSet row = statement.executeQuery("show databases")) {
            while (row.next()) {
                if (database.equals(row.getString("name"))) {
                    String mode = row.getString("pool_mode");
                    if (mode != null) {
                        settings.put("pool_mode", mode);
                    }
                    settings.put("default_pool_size", row.getString("pool_size"));
                }
            }
        }
    }

    private Pooler byBehaviour() {
        try (Connection accepted = connector.withStartupOptions(PLACEHOLDER).open();
                Statement statement = accepted.createStatement()) {
            return new Pooler(
                    Pooler.UNKNOWN,
                    null,
                    shown(statement, "show pgstress.pooler") == null
                            ? "it ignores startup options"
                            : "the server's process is not the announced one",
                    Map.of());
        } catch (SQLException e) {
            if (!PoolerErrors.refusesOptions(e)) {
                return new Pooler(Pooler.UNKNOWN, null, "it refuses startup options", Map.of());
            }
            boolean isNew = String.valueOf(e.getMessage()).contains("startup parameter in options");
            return new Pooler(
                    Pooler.PGBOUNCER,
                    isNew ? "1.20 or newer" : "older than 1.20",
                    "its message about startup options that it refuses; its console is not open to this role",
                    Map.of());
        }
    }
}
