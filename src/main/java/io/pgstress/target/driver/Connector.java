package io.pgstress.target.driver;

import io.pgstress.plan.Endpoint;
import io.pgstress.plan.StatementMode;
import io.pgstress.target.reached.ReachedServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGProperty;
import org.postgresql.util.DriverInfo;

/**
 * Opens connections to one endpoint, all alike. Thread-safe. Connections of the load have the statement mode, the settings and
 * a counter of their bytes. Control connections (facts, resets, DDL) have none of these, except the search path: a name must
 * mean the same table as it does to the clients.
 */
public final class Connector {
    /** Maximum seconds for connecting to a server that has not stalled. */
    private static final int MAX_CONNECT_SECONDS = 10;

    /** Maximum seconds for an answer about the server itself. */
    private static final int MAX_LOOKUP_SECONDS = 30;

    private static final String LOCK_TIMEOUT = "10s";

    private final Endpoint endpoint;
    private final Login login;
    private final ByteCounter bytes;
    private final EndpointDriver driver;
    private final EndpointDriver controlDriver;
    private final @Nullable ReachedServers reached;
    private final Properties load;
    private final Properties loadWithSettings;
    private final Properties control;
    private final Properties controlWithPath;
    private final Map<String, String> settings;
    private final boolean saysSearchPath;
    private final boolean setsBySql;

    /** A connector for a few connections of a role, whose password the URL or the environment knows. */
    public Connector(Endpoint endpoint, String user) {
        this(endpoint, new Login(user, ""));
    }

    /** A connector for a few connections with the driver's defaults. */
    public Connector(Endpoint endpoint, Login login) {
        this(endpoint, login, StatementMode.PREPARED, "", Map.of(), 1);
    }

    /**
     * @param settings startup options
     * @param clients the planned number of connections of the load, at least 1
     */
    public Connector(
            Endpoint endpoint,
            Login login,
            StatementMode mode,
            String queryMode,
            Map<String, String> settings,
            int clients) {
        this.endpoint = endpoint;
        this.login = login;
        this.bytes = new ByteCounter();
        this.settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
        this.saysSearchPath = false;
        this.setsBySql = false;
        Properties given = DriverProperties.given(endpoint);
        this.control = DriverProperties.control(endpoint, given, login.user());
        this.driver = new EndpointDriver(endpoint, given, DriverProperties.passwordCommand(endpoint, control, login));
        this.controlDriver = driver;
        this.reached = null;
        this.controlWithPath = DriverProperties.withOptions(control, searchPath(settings));
        this.load = DriverProperties.load(endpoint, given, login.user(), mode, clients);
        if (!queryMode.isEmpty()) {
            PGProperty.PREFER_QUERY_MODE.set(load, queryMode);
        }
        CountingSocketFactory.use(load, endpoint, bytes);
        this.loadWithSettings = DriverProperties.withOptions(load, settings);
    }

    private Connector(
            Connector same,
            boolean saysSearchPath,
            boolean setsBySql,
            EndpointDriver controlDriver,
            @Nullable ReachedServers reached) {
        this.endpoint = same.endpoint;
        this.login = same.login;
        this.bytes = same.bytes;
        this.driver = same.driver;
        this.controlDriver = controlDriver;
        this.reached = reached;
        this.load = same.load;
        this.loadWithSettings = same.loadWithSettings;
        this.control = same.control;
        this.controlWithPath = same.controlWithPath;
        this.settings = same.settings;
        this.saysSearchPath = saysSearchPath;
        this.setsBySql = setsBySql;
    }

    /** The search path among the settings: control connections need it too, because it determines which table a name means. */
    private static Map<String, String> searchPath(Map<String, String> settings) {
        Map<String, String> path = new LinkedHashMap<>();
        settings.forEach((name, value) -> {
            if (name.equalsIgnoreCase("search_path")) {
                path.put(name, value);
            }
        });
        return path;
    }

    /**
     * A copy for a cluster, whose servers need a statement to set a search path given by the URL or a setting. It replaces this
     * connector: both share one byte counter.
     */
    public Connector forCluster() {
        String options =
                String.valueOf(PGProperty.OPTIONS.getOrNull(loadWithSettings)).toLowerCase(Locale.ROOT);
        boolean hasPath = driver.gives(PGProperty.CURRENT_SCHEMA) || options.contains("search_path");
        return new Connector(this, hasPath, setsBySql, controlDriver, reached);
    }

    /** A copy whose load sessions get their settings by SQL after connecting, for poolers that refuse startup options. */
    public Connector settingBySql() {
        return new Connector(this, saysSearchPath, true, controlDriver, reached);
    }

    /**
     * A copy whose control connections go to this server, and those of the load where the URL leads: behind a proxy, each might
     * otherwise reach another server.
     */
    public Connector controllingAt(Endpoint server) {
        EndpointDriver there = new EndpointDriver(
                server, DriverProperties.given(server), DriverProperties.passwordCommand(server, control, login));
        return new Connector(this, saysSearchPath, setsBySql, there, reached);
    }

    /** A copy that counts the sessions of the load by the server that they reached, with a query each; null: it does not. */
    public Connector countingSessions(@Nullable ReachedServers counts) {
        return new Connector(this, saysSearchPath, setsBySql, controlDriver, counts);
    }

    /** Whether sessions of the load get their settings by SQL. */
    public boolean setsBySql() {
        return setsBySql;
    }

    /** The settings of the load's sessions, by name. */
    public Map<String, String> settings() {
        return settings;
    }

    /** Whether sessions set the search path by a statement. */
    public boolean saysSearchPath() {
        return saysSearchPath;
    }

    /** A connector for control connections of the same role to another server of the cluster. */
    public Connector at(String host, int port) {
        return new Connector(endpoint.at(host, port), login);
    }

    /** The requested role; an empty string: that of the URL or the environment. */
    public String user() {
        return login.user();
    }

    public Endpoint endpoint() {
        return endpoint;
    }

    /** The bytes of all load connections so far. */
    public ByteCounter bytes() {
        return bytes;
    }

    /** Opens a connection for the load. */
    public Connection open() throws SQLException {
        Connection opened = prepared(driver.open(setsBySql ? load : loadWithSettings), settings);
        ReachedServers counts = reached;
        if (counts != null) {
            EndpointDriver.orAbort(opened, counts::count);
        }
        return opened;
    }

    /** Opens a connection like those of the load, but without their settings and with the time limits of a lookup. */
    public Connection openProbe() throws SQLException {
        return prepared(driver.open(load, MAX_CONNECT_SECONDS, MAX_LOOKUP_SECONDS), Map.of());
    }

    /**
     * Opens a control connection, in autocommit mode. A server that does not respond is given up after {@value
     * #MAX_CONNECT_SECONDS} s, unless the URL sets another limit; later answers may take any time.
     */
    public Connection openControl() throws SQLException {
        return openControl(MAX_CONNECT_SECONDS, 0);
    }

    /**
     * Opens a control connection for DDL, which waits at most {@value #LOCK_TIMEOUT} for a lock. Another session may hold the
     * lock for hours, and on Postgres-XL two such waits on two nodes are an undetected deadlock.
     */
    public Connection openDdl() throws SQLException {
        Connection connection = openControl();
        EndpointDriver.orAbort(connection, c -> {
            if (DriverSession.isDirect(
                    c)) { // otherwise the setting would remain in a session that a pooler lends to others
                SessionSettings.limitLocks(c, LOCK_TIMEOUT);
            }
        });
        return connection;
    }

    /**
     * Opens a control connection for quick queries of the server's settings and catalog. It does not have the run's search
     * path: a pooler that refuses startup options would refuse it too, and lookups detect this.
     */
    public Connection openLookup() throws SQLException {
        return prepared(controlDriver.open(control, MAX_CONNECT_SECONDS, MAX_LOOKUP_SECONDS), Map.of());
    }

    /**
     * Opens a control connection with time limits. A statement whose answer takes longer fails and closes the connection, and
     * {@link ServerErrors#isTimeout} is true.
     *
     * @param connecting seconds for all of connecting, which may take several answers
     * @param answering seconds for each later answer; 0: no limit
     */
    public Connection openControl(int connecting, int answering) throws SQLException {
        Properties properties = setsBySql ? control : controlWithPath;
        return prepared(controlDriver.open(properties, connecting, answering), searchPath(settings));
    }

    /** A connector of the same role for a few connections with these startup options instead. */
    public Connector withStartupOptions(Map<String, String> others) {
        return new Connector(endpoint, login, StatementMode.PLAIN, "simple", others, 1);
    }

    /**
     * Opens a control connection for the commands of a pooler: with the simple protocol, the only one in which PgBouncer's console
     * answers, and without the driver's own statements.
     *
     * @param database of the same address; an empty string: the URL's
     */
    public Connection openCommands(String database) throws SQLException {
        EndpointDriver there = database.isEmpty() ? driver : driver.at(endpoint.inDatabase(database));
        return there.openCommands(control, MAX_CONNECT_SECONDS, MAX_LOOKUP_SECONDS);
    }

    /** @param bySql settings to set by SQL if startup options are refused */
    private Connection prepared(Connection connection, Map<String, String> bySql) throws SQLException {
        EndpointDriver.orAbort(connection, c -> {
            if (saysSearchPath) {
                SearchPath.sayAgain(c);
            }
            if (setsBySql && !bySql.isEmpty()) {
                SessionSettings.set(c, bySql);
            }
        });
        return connection;
    }

    /** The driver's name and version. */
    public static String driverVersion() {
        return DriverInfo.DRIVER_FULL_NAME;
    }
}
