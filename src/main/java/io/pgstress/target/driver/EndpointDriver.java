package io.pgstress.target.driver;

import io.pgstress.plan.Endpoint;
import java.net.BindException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import org.postgresql.util.PSQLState;

/** Opens connections to one endpoint with the driver. Thread-safe. */
final class EndpointDriver {
    /** SQLSTATEs of refused passwords: a wrong one, or one that a plugin of the server finds to have expired. */
    private static final Set<String> REFUSED = Set.of("28P01", "28000");

    /** Kept, as its level would be lost with it. */
    @SuppressWarnings("UnusedVariable")
    private static final Logger SILENCED = TlsErrors.silenced();

    private final Driver driver = new Driver();
    private final Endpoint endpoint;
    private final Properties given;
    private final @Nullable PasswordCommand password;

    /**
     * @param given the properties of the URL
     * @param password prints the password; null: it is among the properties
     */
    EndpointDriver(Endpoint endpoint, Properties given, @Nullable PasswordCommand password) {
        this.endpoint = endpoint;
        this.given = given;
        this.password = password;
    }

    /** Whether the URL sets this property. */
    boolean gives(PGProperty property) {
        return property.getOrNull(given) != null;
    }

    /** If the server refuses an older password of the command, it is asked for another one. */
    private Connection open(Properties properties) throws SQLException {
        if (password == null) {
            return openWith(properties);
        }
        String known = password.password();
        try {
            return openWith(with(known, properties));
        } catch (SQLException e) {
            if (!ServerErrors.isAnswer(e) || !REFUSED.contains(e.getSQLState()) || !password.isOutdated(known)) {
                throw e;
            }
            return openWith(with(password.password(), properties));
        }
    }

    private static Properties with(String password, Properties properties) {
        Properties whole = new Properties();
        whole.putAll(properties);
        PGProperty.PASSWORD.set(whole, password);
        return whole;
    }

    /**
     * Opens a connection. The URL's parameters are passed as properties; in the URL they would override those that the run
     * sets.
     */
    private Connection openWith(Properties properties) throws SQLException {
        String url = endpoint.driverUrl();
        int parameters = url.indexOf('?');
        Connection connection = connect(parameters < 0 ? url : url.substring(0, parameters), properties);
        if (connection == null) {
            throw new SQLException("not a URL of the PostgreSQL driver: " + endpoint.masked(), "08001");
        }
        return connection;
    }

    /** The driver's messages about Unix sockets, TLS, used-up ports and interrupts would not name the cause. */
    private @Nullable Connection connect(String url, Properties properties) throws SQLException {
        try {
            return driver.connect(url, properties);
        } catch (SQLException e) {
            if (e.getCause() instanceof UnixSocket.NoServerException none) {
                throw new SQLException(none.getMessage(), e.getSQLState(), e);
            }
            if (Thread.currentThread().isInterrupted()
                    && PSQLState.UNEXPECTED_ERROR.getState().equals(e.getSQLState())) {
                throw new SQLException(
                        "interrupted while connecting",
                        PSQLState.QUERY_CANCELED.getState(),
                        new InterruptedException(e.getMessage()));
            }
            SQLException explained = TlsErrors.explained(e, given, endpoint.host());
            throw gives(PGProperty.LOCAL_SOCKET_ADDRESS)
                    ? explained
                    : LocalPorts.explained(explained, endpoint.masked());
        }
    }

    /**
     * Opens a connection with time limits, unless the URL sets others.
     *
     * @param connecting seconds for all of connecting, which may take several answers; 0: no limits
     * @param answering seconds for each later answer; 0: no limit
     */
    Connection open(Properties properties, int connecting, int answering) throws SQLException {
        if (connecting == 0) {
            return open(properties);
        }
        Properties limited = new Properties();
        limited.putAll(properties);
        limit(limited, PGProperty.SOCKET_TIMEOUT, answering);
        limit(limited, PGProperty.LOGIN_TIMEOUT, connecting);
        // in milliseconds; the driver's own 5 s for the first answer of a server would end the wait early
        limit(limited, PGProperty.SSL_RESPONSE_TIMEOUT, (int) TimeUnit.SECONDS.toMillis(connecting));
        // shorter than the whole limit, to distinguish a server that cannot be reached from one that does not answer
        limit(limited, PGProperty.CONNECT_TIMEOUT, Math.max(1, connecting / 2));
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(connecting);
        try {
            return open(limited);
        } catch (SQLException e) {
            if (System.nanoTime() < end) {
                throw e;
            }
            throw new SQLTimeoutException("no answer within " + connecting + " s", "08001", e);
        }
    }

    private void limit(Properties p, PGProperty property, int seconds) {
        if (seconds > 0 && !gives(property)) {
            property.set(p, seconds);
        }
    }

    /**
     * A failure to connect because this machine has no free port towards the server. The side that closes a TCP connection keeps its
     * port for a minute (TIME_WAIT; RFC 9293, section 3.6.1), and Linux has 28,232 ports for connections to one address by default.
     */
    static final class LocalPorts {
        /** The SQLSTATE of these failures. One of class 08 would say that the server was unavailable. */
        static final String STATE = "PORTS";

        private LocalPorts() {}

        /** The same error with a message that names the cause, if it is this one; the driver's own does not. */
        static SQLException explained(SQLException e, String server) {
            return isUsedUp(e)
                    ? new SQLException(
                            "no local port is free for a connection to " + server
                                    + ": the ports of closed connections stay in use for a minute; set"
                                    + " net.ipv4.tcp_tw_reuse=1, widen net.ipv4.ip_local_port_range, or use a Unix socket",
                            STATE,
                            e)
                    : e;
        }

        /** The JDK's name of EADDRNOTAVAIL, which it also has for an address that is not this machine's. */
        private static boolean isUsedUp(SQLException e) {
            BindException cause = ServerErrors.cause(e, BindException.class);
            return cause != null && String.valueOf(cause.getMessage()).contains("assign requested address");
        }
    }
}
