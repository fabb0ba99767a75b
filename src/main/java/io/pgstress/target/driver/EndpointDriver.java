package io.pgstress.target.driver;

import io.pgstress.plan.Endpoint;
import java.net.BindException;
import java.security.InvalidAlgorithmParameterException;
import java.security.UnrecoverableKeyException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.crypto.BadPaddingException;
import javax.net.ssl.SSLException;
import javax.security.auth.callback.UnsupportedCallbackException;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import org.postgresql.util.PSQLState;

/** Opens connections to one endpoint with the driver. Thread-safe. */
final class EndpointDriver {
    private static final Set<String> TLS_REQUIRED = Set.of("require", "verify-ca", "verify-full");

    /** SQLSTATEs of refused passwords: a wrong one, or one that a plugin of the server finds to have expired. */
    private static final Set<String> REFUSED = Set.of("28P01", "28000");

    /** Kept, as its level would be lost with it. */
    @SuppressWarnings("UnusedVariable")
    private static final Logger SILENCED = TlsErrors.silenced();

    private final Driver driver = new Driver();
    private final Endpoint endpoint;
    private final Properties given;
    private final @Nullable PasswordCommand password;
    private final PasswordPrompt prompt;

    /** What the user typed; null: nobody was asked. */
    private volatile @Nullable String typed;

    /** The server wants a password, and there is none. */
    private static final class NoPasswordException extends SQLException {
        private static final long serialVersionUID = 1;

        NoPasswordException(SQLException cause, String role) {
            super(
                    ServerErrors.messageOf(cause) + " Set PGPASSWORD, or add a line for role " + role
                            + " to ~/.pgpass.",
                    cause.getSQLState(),
                    cause);
        }
    }

    /**
     * @param given the properties of the URL
     * @param password prints the password; null: it is among the properties
     * @param prompt asks for a password if there is none
     */
    EndpointDriver(Endpoint endpoint, Properties given, @Nullable PasswordCommand password, PasswordPrompt prompt) {
        this.endpoint = endpoint;
        this.given = given;
        this.password = password;
        this.prompt = prompt;
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

    /**
     * Whether the driver was asked for a password and had none. It has one SQLSTATE for this and for servers that lack the TLS or the
     * channel binding that is required, so nothing is said where one of them is.
     */
    private static boolean lacksPassword(SQLException e, Properties properties) {
        String password = PGProperty.PASSWORD.getOrNull(properties);
        return PSQLState.CONNECTION_REJECTED.getState().equals(e.getSQLState())
                && !ServerErrors.isAnswer(e)
                && (password == null || password.isEmpty())
                && !TLS_REQUIRED.contains(String.valueOf(PGProperty.SSL_MODE.getOrNull(properties)))
                && !"require".equals(PGProperty.CHANNEL_BINDING.getOrNull(properties));
    }

    /** The driver's messages about Unix sockets, TLS, used-up ports and interrupts would not name the cause. */
    private @Nullable Connection connect(String url, Properties properties) throws SQLException {
        try {
            return driver.connect(url, properties);
        } catch (SQLException e) {
            if (e.getCause() instanceof UnixSocket.NoServerException none) {
                throw new SQLException(none.getMessage(), e.getSQLState(), e);
            }
            if (lacksPassword(e, properties)) {
                throw new NoPasswordException(e, DriverProperties.role(properties));
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
     * Opens a connection with time limits, unless the URL sets others. As psql, it asks for a password that is missing.
     *
     * @param connecting seconds for all of connecting, which may take several answers; 0: no limits
     * @param answering seconds for each later answer; 0: no limit
     */
    Connection open(Properties properties, int connecting, int answering) throws SQLException {
        String known = typed;
        try {
            return openLimited(known == null ? properties : with(known, properties), connecting, answering);
        } catch (NoPasswordException e) {
            String asked = prompt.password(DriverProperties.role(properties));
            if (asked == null) {
                throw e;
            }
            typed = asked;
            return openLimited(with(asked, properties), connecting, answering);
        }
    }

    private Connection openLimited(Properties properties, int connecting, int answering) throws SQLException {
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

        /** The error with a message that gives the cause, which the driver's message lacks; any other error unchanged. */
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

    /**
     * Says what is wrong if TLS fails. The driver's messages name classes, or a consequence instead of the cause. They are recognized by
     * their causes, as the driver translates its texts.
     */
    private static final class TlsErrors {
        /** The server's alert if a signature of the client is wrong (RFC 8446, 6.2). */
        private static final String OF_PROOF = "decrypt_error";

        /** As the driver's message names its class {@code PGjdbcHostnameVerifier}. */
        private static final String VERIFIER = "PgjdbcHostnameVerifier";

        private TlsErrors() {}

        /**
         * Silences the driver's log of host names that a certificate lacks, because the exception reports them. The logger lasts as long as the
         * caller keeps it.
         */
        static Logger silenced() {
            Logger log = Logger.getLogger("org.postgresql.ssl.PGjdbcHostnameVerifier");
            log.setLevel(Level.OFF);
            return log;
        }

        /**
         * The failure with a message that gives the cause; a failure that is not one of TLS is returned unchanged.
         *
         * @param given the connection's properties
         */
        static SQLException explained(SQLException e, Properties given, String host) {
            String words = words(e, given, host);
            return words.isEmpty() ? e : new SQLException(words, e.getSQLState(), e);
        }

        private static String words(SQLException e, Properties given, String host) {
            String message = String.valueOf(e.getMessage());
            if (message.contains(VERIFIER)) {
                return "TLS: the server's certificate does not name the host " + host
                        + ": connect by a name that it has, or check only its CA (sslmode=verify-ca)";
            }
            if (message.contains("client certificate") && "28000".equals(e.getSQLState())) {
                return message
                        + (given.containsKey("sslcert")
                                ? "; sslcert was not sent: none of the CAs that the server accepts has signed it"
                                : "; name one with sslcert and sslkey");
            }
            if (message.contains("certificate authentication failed")) {
                return message + "; the common name of sslcert must be the role, unless pg_ident.conf maps it";
            }
            String key = ofKey(e, given.getProperty("sslkey", "in the default place"));
            return key.isEmpty() ? ofCertificate(e, given) : key;
        }

        private static String ofKey(SQLException e, String file) {
            if (ServerErrors.cause(e, UnsupportedCallbackException.class) != null) {
                return "TLS: sslkey " + file + " is encrypted: name its pass phrase with sslpassword";
            }
            boolean isWrong = ServerErrors.cause(e, UnrecoverableKeyException.class) != null
                    || ServerErrors.cause(e, BadPaddingException.class) != null;
            return isWrong ? "TLS: sslkey " + file + " cannot be decrypted: wrong pass phrase (sslpassword)" : "";
        }

        private static String ofCertificate(SQLException e, Properties given) {
            CertificateException expired = ServerErrors.cause(e, CertificateExpiredException.class);
            CertificateException early = ServerErrors.cause(e, CertificateNotYetValidException.class);
            if (expired != null || early != null) {
                return "TLS: the server's certificate, or that of its CA, "
                        + (expired != null
                                ? "has expired (" + expired.getMessage()
                                : "is not valid yet (" + detail(early))
                        + ")";
            }
            if (ServerErrors.cause(e, CertPathBuilderException.class) != null) {
                return "TLS: no CA " + roots(given) + " has signed the server's certificate (sslrootcert)";
            }
            SSLException tls = ServerErrors.cause(e, SSLException.class);
            if (tls == null && isUnread(e)) {
                String roots = given.getProperty("sslrootcert");
                return "TLS: "
                        + (roots != null && String.valueOf(e.getMessage()).contains(roots)
                                ? "sslrootcert " + roots
                                : "sslcert " + given.getProperty("sslcert"))
                        + " has no certificate";
            }
            CertPathValidatorException path = ServerErrors.cause(e, CertPathValidatorException.class);
            if (path != null) {
                return "TLS: the server's certificate is refused: " + path.getMessage();
            }
            if (tls == null) {
                return "";
            }
            String words = "TLS: " + tls.getMessage();
            return words.contains(OF_PROOF) ? words + "; does sslkey fit sslcert?" : words;
        }

        /** Whether a file has no certificate at all, or something else. */
        private static boolean isUnread(SQLException e) {
            return ServerErrors.cause(e, CertificateException.class) != null
                    || ServerErrors.cause(e, InvalidAlgorithmParameterException.class)
                            != null; // no CA among those to trust
        }

        private static String roots(Properties given) {
            String named = given.getProperty("sslrootcert");
            return named != null
                    ? "in " + named
                    : given.containsKey("sslfactory") ? "of the JVM" : "in ~/.postgresql/root.crt";
        }

        private static String detail(@Nullable Throwable e) {
            return e == null ? "" : String.valueOf(e.getMessage());
        }
    }
}
