package io.pgstress.target.driver;

import io.pgstress.plan.Endpoint;
import io.pgstress.plan.StatementMode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGProperty;
import org.postgresql.PGStatement;
import org.postgresql.util.DriverInfo;

/** Opens connections to one endpoint, each for a {@link SessionPurpose}. Thread-safe. */
public final class Connector {
    private static final String LOCK_TIMEOUT = "10s";

    /** The existing schemas. The setting itself contains the names as given when the session started, quoted or not. */
    private static final String EXISTING_PATH = """
            select string_agg(quote_ident(name), ', ' order by place)
            from unnest(current_schemas(false)) with ordinality as found (name, place)
            """;

    private final Origin origin;
    private final Variant variant;

    /**
     * What all copies of a connector share.
     *
     * @param settings those of the load's sessions
     * @param path the search path among the settings: control connections need it too, because it determines which table a name
     *     means
     */
    private record Origin(
            Endpoint endpoint,
            Login login,
            Map<String, String> settings,
            Map<String, String> path,
            ByteCounter bytes,
            EndpointDriver driver,
            Properties load,
            Properties loadWithSettings,
            Properties control,
            Properties controlWithPath) {}

    /**
     * What copies differ in.
     *
     * @param setsSearchPath whether sessions set the search path by a statement
     * @param setsBySql whether sessions get their settings by SQL
     * @param control opens control connections
     * @param counts counts the sessions of the load; null: nothing does
     */
    private record Variant(
            boolean setsSearchPath,
            boolean setsBySql,
            EndpointDriver control,
            ReachedServer.@Nullable SessionCounts counts) {}

    private Connector(Origin origin, Variant variant) {
        this.origin = origin;
        this.variant = variant;
    }

    /**
     * The sessions of the load.
     *
     * @param queryMode the driver's; an empty string: its default
     * @param settings startup options
     * @param planned their number, at least 1
     */
    public record LoadSessions(StatementMode mode, String queryMode, Map<String, String> settings, int planned) {
        /** A few sessions with the driver's defaults. */
        static final LoadSessions FEW = new LoadSessions(StatementMode.PREPARED, "", Map.of(), 1);
    }

    /** A connector for a few connections with the driver's defaults. */
    public Connector(Endpoint endpoint, Login login) {
        this(endpoint, login, LoadSessions.FEW);
    }

    public Connector(Endpoint endpoint, Login login, LoadSessions sessions) {
        this(endpoint, login, sessions, Map.of());
    }

    /** @param ofControl startup options of control connections, besides the search path */
    private Connector(Endpoint endpoint, Login login, LoadSessions sessions, Map<String, String> ofControl) {
        Properties given = DriverProperties.given(endpoint);
        Properties control =
                DriverProperties.withOptions(DriverProperties.control(endpoint, given, login.user()), ofControl);
        Properties load = DriverProperties.load(endpoint, given, login.user(), sessions.mode, sessions.planned);
        if (!sessions.queryMode.isEmpty()) {
            PGProperty.PREFER_QUERY_MODE.set(load, sessions.queryMode);
        }
        ByteCounter bytes = new ByteCounter();
        CountingSocketFactory.use(load, endpoint, bytes);
        EndpointDriver driver = new EndpointDriver(
                endpoint, given, DriverProperties.passwordCommand(endpoint, control, login), login.prompt());
        Map<String, String> path = new LinkedHashMap<>(sessions.settings);
        path.keySet().removeIf(name -> !name.equalsIgnoreCase("search_path"));
        this.origin = new Origin(
                endpoint,
                login,
                Collections.unmodifiableMap(new LinkedHashMap<>(sessions.settings)),
                path,
                bytes,
                driver,
                load,
                DriverProperties.withOptions(load, sessions.settings),
                control,
                DriverProperties.withOptions(control, path));
        this.variant = new Variant(false, false, driver, null);
    }

    /**
     * A copy for a cluster, whose servers need a statement to set a search path given by the URL or a setting. It replaces this
     * connector: both share one byte counter.
     */
    public Connector forCluster() {
        String options = String.valueOf(PGProperty.OPTIONS.getOrNull(origin.loadWithSettings))
                .toLowerCase(Locale.ROOT);
        boolean hasPath = origin.driver.gives(PGProperty.CURRENT_SCHEMA) || options.contains("search_path");
        return new Connector(origin, new Variant(hasPath, variant.setsBySql, variant.control, variant.counts));
    }

    /** A copy whose sessions get their settings by SQL after connecting, for poolers that refuse startup options. */
    public Connector settingBySql() {
        return new Connector(origin, new Variant(variant.setsSearchPath, true, variant.control, variant.counts));
    }

    /**
     * A copy whose control connections go to this server, and those of the load where the URL leads: behind a proxy, each might
     * otherwise reach another server.
     */
    public Connector controllingAt(Endpoint server) {
        EndpointDriver there = new EndpointDriver(
                server,
                DriverProperties.given(server),
                DriverProperties.passwordCommand(server, origin.control, origin.login),
                origin.login.prompt());
        return new Connector(origin, new Variant(variant.setsSearchPath, variant.setsBySql, there, variant.counts));
    }

    /** A copy that counts the sessions of the load by the server that they reached, with a query each; null: it does not. */
    public Connector countingSessions(ReachedServer.@Nullable SessionCounts counts) {
        return new Connector(origin, new Variant(variant.setsSearchPath, variant.setsBySql, variant.control, counts));
    }

    /** A copy whose sessions of the load have this name on the server ({@code application_name}). */
    public Connector naming(String sessions) {
        Origin named = new Origin(
                origin.endpoint,
                origin.login,
                origin.settings,
                origin.path,
                origin.bytes,
                origin.driver,
                DriverProperties.named(origin.load, sessions),
                DriverProperties.named(origin.loadWithSettings, sessions),
                origin.control,
                origin.controlWithPath);
        return new Connector(named, variant);
    }

    /** A connector for control connections of the same role to another server of the cluster. */
    public Connector at(String host, int port) {
        return at(host, port, Map.of());
    }

    /**
     * A connector for control connections of the same role to another server of the cluster.
     *
     * @param options startup options without which that server refuses connections
     */
    public Connector at(String host, int port, Map<String, String> options) {
        return new Connector(origin.endpoint.at(host, port), origin.login, LoadSessions.FEW, options);
    }

    /** Whether sessions of the load get their settings by SQL. */
    public boolean setsBySql() {
        return variant.setsBySql;
    }

    /** The settings of the load's sessions, by name. */
    public Map<String, String> settings() {
        return origin.settings;
    }

    /** Whether sessions set the search path by a statement. */
    public boolean setsSearchPath() {
        return variant.setsSearchPath;
    }

    /** The URL's time limit for an answer in seconds ({@code socketTimeout}), after which the driver closes the connection; 0: none. */
    public int socketTimeoutSeconds() {
        String text = PGProperty.SOCKET_TIMEOUT.getOrNull(origin.load);
        return text == null || !text.matches("\\d{1,9}") ? 0 : Integer.parseInt(text);
    }

    /** The requested role; empty if the URL or the environment determines it. */
    public String user() {
        return origin.login.user();
    }

    public Endpoint endpoint() {
        return origin.endpoint;
    }

    /** The bytes of all load connections so far. */
    public ByteCounter bytes() {
        return origin.bytes;
    }

    /** Opens a connection, in autocommit mode. */
    public Connection open(SessionPurpose purpose) throws SQLException {
        EndpointDriver driver = purpose.isLoad() ? origin.driver : variant.control;
        Connection opened = driver.open(properties(purpose), purpose.connectSeconds(), purpose.answerSeconds());
        try {
            setUp(opened, purpose);
        } catch (SQLException e) {
            DriverSession.abort(opened);
            throw e;
        }
        return opened;
    }

    private Properties properties(SessionPurpose purpose) {
        boolean hasOptions = purpose.hasSettings() && !variant.setsBySql;
        if (purpose.isLoad()) {
            return hasOptions ? origin.loadWithSettings : origin.load;
        }
        return hasOptions ? origin.controlWithPath : origin.control;
    }

    private void setUp(Connection opened, SessionPurpose purpose) throws SQLException {
        if (variant.setsSearchPath) {
            setSearchPath(opened);
        }
        if (variant.setsBySql && purpose.hasSettings()) {
            set(opened, purpose.isLoad() ? origin.settings : origin.path);
        }
        // otherwise the limit would remain in a session that a pooler lends to others
        if (purpose.limitsLocks() && DriverSession.isDirect(opened)) {
            // by SET, which Postgres-XL passes on to its datanodes
            ControlSql.execute(opened, "set lock_timeout = '" + LOCK_TIMEOUT + "'");
        }
        ReachedServer.SessionCounts counts = variant.counts;
        if (purpose.isCounted() && counts != null) {
            counts.count(opened);
        }
    }

    /**
     * Sets the path again by a statement, after the URL or startup options have set it. Postgres-XL passes statements to its
     * datanodes, but not startup options: the datanodes would create a table in another schema, and the first statement that
     * needs it would fail with "could not open relation with OID 0".
     */
    private static void setSearchPath(Connection connection) throws SQLException {
        Optional<String> path = ControlSql.text(connection, EXISTING_PATH);
        if (path.isPresent()) {
            ControlSql.execute(connection, "set search_path = " + path.get());
        }
    }

    /** Sets each until the session ends. */
    private static void set(Connection connection, Map<String, String> settings) throws SQLException {
        if (settings.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement("select set_config(?, ?, false)")) {
            statement.unwrap(PGStatement.class).setPrepareThreshold(0);
            for (Map.Entry<String, String> setting : settings.entrySet()) {
                statement.setString(1, setting.getKey());
                statement.setString(2, setting.getValue());
                statement.execute();
            }
        }
    }

    /** The driver's name and version. */
    public static String driverVersion() {
        return DriverInfo.DRIVER_FULL_NAME;
    }
}
