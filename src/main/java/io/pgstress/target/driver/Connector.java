package io.pgstress.target.driver;

import io.pgstress.plan.Endpoint;
import io.pgstress.plan.StatementMode;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import org.postgresql.core.TransactionState;
import org.postgresql.jdbc.PgConnection;
import org.postgresql.util.PSQLState;

/**
 * Opens connections to one endpoint, all alike. Thread-safe. Load connections carry the statement mode, the settings and
 * a counter of their bytes; control connections (facts, resets, DDL) carry none of these, so that they are not load.
 */
public final class Connector {
    private static final Executor DIRECT = Runnable::run;

    /** What is gathered before it is sent, at the most: with the driver's own 8 KiB a statement of 36 KB went out in five writes. */
    private static final int SEND_BUFFER_BYTES = 1 << 16;

    /** What all connections together may gather: with many of them each has less, and no less than the driver's own. */
    private static final int SEND_BUFFERS_BYTES = 1 << 23;

    private static final int DRIVERS_SEND_BUFFER_BYTES = 1 << 13;

    /** Seconds within which a server that does not stand still has let a session in. */
    private static final int MOST_CONNECTING = 10;

    /** Seconds within which it has told of itself. */
    private static final int MOST_LOOKING_UP = 30;

    private static final String MOST_FOR_A_LOCK = "10s";

    private final Endpoint endpoint;
    private final String user;
    private final Driver driver = new Driver();
    private final ByteCounter bytes;
    private final Properties given;
    private final Properties load;
    private final Properties loadWithSettings;
    private final Properties control;
    private final Map<String, String> settings;
    private final boolean saysSearchPath;
    private final boolean setsBySql;

    /** One for few connections, as the driver has them by default. */
    public Connector(Endpoint endpoint, String user) {
        this(endpoint, user, StatementMode.PREPARED, "", Map.of(), 1);
    }

    /**
     * @param user the role; an empty string: what the URL or the driver says
     * @param settings startup options
     * @param clients how many connections of the load there are to be, at least 1
     */
    public Connector(
            Endpoint endpoint,
            String user,
            StatementMode mode,
            String queryMode,
            Map<String, String> settings,
            int clients) {
        this.endpoint = endpoint;
        this.user = user;
        this.bytes = new ByteCounter();
        this.settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
        this.saysSearchPath = false;
        this.setsBySql = false;
        this.given = DriverProperties.given(endpoint);
        this.control = DriverProperties.base(given, user, "pgstress control");
        // a name belongs to one server session, and behind a pooler the next statement may run in another
        PGProperty.PREPARE_THRESHOLD.set(control, 0);
        this.load = DriverProperties.base(given, user, "pgstress");
        PGProperty.PREPARE_THRESHOLD.set(load, mode == StatementMode.PREPARED ? 1 : 0);
        if (!queryMode.isEmpty()) {
            PGProperty.PREFER_QUERY_MODE.set(load, queryMode);
        }
        PGProperty.SOCKET_FACTORY.set(load, CountingSocketFactory.class.getName());
        PGProperty.SOCKET_FACTORY_ARG.set(load, CountingSocketFactory.register(bytes));
        if (PGProperty.REWRITE_BATCHED_INSERTS.getOrNull(given) == null) {
            // of effect on batches alone: several rows an INSERT, as COPY and multi-row inserts have them
            PGProperty.REWRITE_BATCHED_INSERTS.set(load, true);
        }
        if (PGProperty.MAX_SEND_BUFFER_SIZE.getOrNull(given) == null) {
            PGProperty.MAX_SEND_BUFFER_SIZE.set(
                    load,
                    Math.max(DRIVERS_SEND_BUFFER_BYTES, Math.min(SEND_BUFFER_BYTES, SEND_BUFFERS_BYTES / clients)));
        }
        this.loadWithSettings = DriverProperties.withOptions(load, settings);
    }

    private Connector(Connector same, boolean saysSearchPath, boolean setsBySql) {
        this.endpoint = same.endpoint;
        this.user = same.user;
        this.bytes = same.bytes;
        this.given = same.given;
        this.load = same.load;
        this.loadWithSettings = same.loadWithSettings;
        this.control = same.control;
        this.settings = same.settings;
        this.saysSearchPath = saysSearchPath;
        this.setsBySql = setsBySql;
    }

    /**
     * The same for a cluster, whose servers have to be told by a statement where names without a schema belong, where the URL or a
     * setting says it; in its place, as both count their bytes together.
     */
    public Connector forCluster() {
        String options =
                String.valueOf(PGProperty.OPTIONS.getOrNull(loadWithSettings)).toLowerCase(Locale.ROOT);
        boolean hasPath = PGProperty.CURRENT_SCHEMA.getOrNull(given) != null || options.contains("search_path");
        return new Connector(this, hasPath, setsBySql);
    }

    /** The same, but sessions of the load get their settings by SQL after connecting, for poolers that refuse startup options. */
    public Connector settingBySql() {
        return new Connector(this, saysSearchPath, true);
    }

    /** Whether sessions of the load get their settings by SQL. */
    public boolean setsBySql() {
        return setsBySql;
    }

    /** What sessions of the load are given, by name. */
    public Map<String, String> settings() {
        return settings;
    }

    /** Whether sessions are told by a statement where names without a schema belong. */
    public boolean saysSearchPath() {
        return saysSearchPath;
    }

    /** The same role's way to another server of the cluster, for control. */
    public Connector at(String host, int port) {
        return new Connector(endpoint.at(host, port), user);
    }

    /** The role that was asked for; an empty string: what the URL or the environment says. */
    public String user() {
        return user;
    }

    public Endpoint endpoint() {
        return endpoint;
    }

    /** What all load connections carried so far. */
    public ByteCounter bytes() {
        return bytes;
    }

    /** Opens a connection of the load. */
    public Connection open() throws SQLException {
        Connection connection = connect(setsBySql ? load : loadWithSettings);
        if (setsBySql) {
            orAbort(connection, c -> SessionSettings.set(c, settings));
        }
        return connection;
    }

    /** Opens a connection like those of the load but without their settings, which waits for answers as a lookup does. */
    public Connection openProbe() throws SQLException {
        return openLimited(load, MOST_CONNECTING, MOST_LOOKING_UP);
    }

    /**
     * Opens a connection for control, in autocommit mode. A server that stands still is given up after {@value
     * #MOST_CONNECTING} s, unless the URL says another time; what is asked afterwards may take as long as it takes.
     */
    public Connection openControl() throws SQLException {
        return openControl(MOST_CONNECTING, 0);
    }

    /**
     * The same for DDL: it waits for a lock {@value #MOST_FOR_A_LOCK} at the most. Somebody may hold the table for hours,
     * and on Postgres-XL two such waits on two nodes are a deadlock that nobody finds.
     */
    public Connection openDdl() throws SQLException {
        Connection connection = openControl();
        orAbort(connection, c -> {
            if (isDirect(c)) { // else the setting would stay behind in a session that a pooler lends to others
                SessionSettings.limitLocks(c, MOST_FOR_A_LOCK);
            }
        });
        return connection;
    }

    /** The same for questions that are answered at once: of settings, of the catalog. */
    public Connection openLookup() throws SQLException {
        return openControl(MOST_CONNECTING, MOST_LOOKING_UP);
    }

    /**
     * Opens a connection for control on which an answer is waited for only so long: then it is lost, and
     * {@link ServerErrors#isTimeout} tells why.
     *
     * @param connecting seconds for all of connecting, which may take several answers
     * @param answering seconds for each answer afterwards; 0: no limit
     */
    public Connection openControl(int connecting, int answering) throws SQLException {
        return openLimited(control, connecting, answering);
    }

    private Connection openLimited(Properties properties, int connecting, int answering) throws SQLException {
        Properties limited = new Properties();
        limited.putAll(properties);
        limit(limited, PGProperty.SOCKET_TIMEOUT, answering);
        limit(limited, PGProperty.LOGIN_TIMEOUT, connecting);
        // less than the whole, so that a server that cannot be reached is told from one that does not answer
        limit(limited, PGProperty.CONNECT_TIMEOUT, Math.max(1, connecting / 2));
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(connecting);
        try {
            return connect(limited);
        } catch (SQLException e) {
            if (System.nanoTime() < end) {
                throw e;
            }
            throw new SQLTimeoutException("no answer within " + connecting + " s", "08001", e);
        }
    }

    /** What the URL says has precedence. */
    private void limit(Properties p, PGProperty property, int seconds) {
        if (seconds > 0 && property.getOrNull(given) == null) {
            property.set(p, seconds);
        }
    }

    /** The URL's own parameters are among the properties: those in the URL would win over what the run has set. */
    private Connection connect(Properties properties) throws SQLException {
        String url = endpoint.url();
        int parameters = url.indexOf('?');
        Connection connection = driver.connect(parameters < 0 ? url : url.substring(0, parameters), properties);
        if (connection == null) {
            throw new SQLException("not a URL of the PostgreSQL driver: " + endpoint.masked(), "08001");
        }
        if (saysSearchPath) {
            orAbort(connection, SearchPath::sayAgain);
        }
        return connection;
    }

    private interface Step {
        void on(Connection connection) throws SQLException;
    }

    private static void orAbort(Connection connection, Step step) throws SQLException {
        try {
            step.on(connection);
        } catch (SQLException e) {
            abort(connection);
            throw e;
        }
    }

    /** Closes the connection's socket at once, whatever another thread is doing on it. */
    public static void abort(Connection connection) {
        try {
            Connection physical = connection.unwrap(PgConnection.class);
            physical.abort(DIRECT);
        } catch (SQLException e) {
            // it is gone already, which is what was wanted
        }
    }

    /** Whether the connection itself is closed, also one that a pool has lent: the driver closes it where the server ended it. */
    public static boolean isClosed(Connection connection) throws SQLException {
        return connection.isClosed() || connection.unwrap(PgConnection.class).isClosed();
    }

    /**
     * Whether there is a pooler between, such as PgBouncer, which at connecting tells a process number of its own making
     * (it stands for the session where a query is cancelled), so that the server has another.
     */
    public static boolean isPooled(Connection connection) throws SQLException {
        int told = connection.unwrap(PgConnection.class).getBackendPID();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
            return !row.next() || row.getInt(1) != told;
        }
    }

    /** Asks the server to cancel what the connection waits for, from another thread. */
    public static void cancel(Connection connection) {
        try {
            connection.unwrap(PgConnection.class).cancelQuery();
        } catch (SQLException e) {
            abort(connection);
        }
    }

    /** Ends a transaction that a statement of the load itself began, where one is open. */
    public static void rollbackIfOpen(Connection connection) throws SQLException {
        if (connection.unwrap(PgConnection.class).getTransactionState() != TransactionState.IDLE) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("rollback");
            }
        }
    }

    /** Whether the server process that runs statements is the one that was announced at connecting: behind poolers it is not. */
    public static boolean isDirect(Connection connection) throws SQLException {
        int announced = connection.unwrap(PgConnection.class).getBackendPID();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
            return row.next() && row.getInt(1) == announced;
        }
    }

    /** Whether a statement failed in the transaction that is open. */
    public static boolean hasFailedTransaction(Connection connection) throws SQLException {
        return connection.unwrap(PgConnection.class).getTransactionState() == TransactionState.FAILED;
    }

    /** Whether the SQLSTATE says that the connection itself is of no more use. */
    public static boolean isConnectionLost(SQLException e) {
        String state = e.getSQLState();
        return PSQLState.isConnectionError(state)
                || "57P01".equals(state)
                || "57P02".equals(state)
                || "57P03".equals(state);
    }

    /** The driver's name and version. */
    public static String driverVersion() {
        return org.postgresql.util.DriverInfo.DRIVER_FULL_NAME;
    }
}
