package io.pgstress.target.driver;

import io.pgstress.plan.Endpoint;
import io.pgstress.plan.StatementMode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.StringJoiner;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/** The driver's properties: those of the URL, and those of every connection. */
final class DriverProperties {
    private static final int CONNECT_SECONDS = 10;

    /** The driver's class that uses the JVM's CAs. */
    private static final String SYSTEM_AUTHORITIES = "org.postgresql.ssl.DefaultJavaSSLFactory";

    /**
     * Maximum size of a connection's send buffer in bytes. With the driver's default of 8 KiB, a statement of 36 KB took five
     * writes.
     */
    private static final int SEND_BUFFER_BYTES = 1 << 16;

    /** Maximum size of all send buffers together; each has at least the driver's default. */
    private static final int SEND_BUFFERS_BYTES = 1 << 23;

    private static final int DRIVERS_SEND_BUFFER_BYTES = 1 << 13;

    /** A password in the URL, or a service of the driver, which may have one. */
    private static final Pattern URL_PASSWORD = Pattern.compile("[?&](password|service)=");

    /** Kept, as its level would be lost with it. The driver logs a URL that it cannot read, with the password in it. */
    @SuppressWarnings("UnusedVariable")
    private static final Logger SILENCED = silenced();

    private DriverProperties() {}

    private static Logger silenced() {
        Logger log = Logger.getLogger(Driver.class.getName());
        log.setLevel(Level.OFF);
        return log;
    }

    /** The properties of the URL. */
    static Properties given(Endpoint endpoint) {
        Properties given = Driver.parseURL(endpoint.driverUrl(), new Properties());
        if (given == null) {
            throw new TargetException("not a URL of the PostgreSQL driver: " + new Endpoint(endpoint.url(), 0).masked()
                    + "; write jdbc:postgresql://HOST:PORT/DATABASE?PARAMETER=VALUE&...");
        }
        if (!URL_PASSWORD.matcher(endpoint.url()).find()) {
            given.remove(PGProperty.PASSWORD.getName()); // from the password file, which PGPASSWORD precedes
        }
        if (endpoint.isUnixSocket()) {
            CountingSocketFactory.use(given, endpoint, new ByteCounter());
            // servers refuse both; asking for them would be a round trip
            PGProperty.SSL_MODE.set(given, "disable");
            PGProperty.GSS_ENC_MODE.set(given, "disable");
        }
        return withTls(given);
    }

    /** As libpq: the JVM's CAs with {@code sslrootcert=system}, and keys of every algorithm. */
    private static Properties withTls(Properties given) {
        if ("system".equals(PGProperty.SSL_ROOT_CERT.getOrNull(given))) {
            given.remove(PGProperty.SSL_ROOT_CERT.getName());
            PGProperty.SSL_FACTORY.set(given, SYSTEM_AUTHORITIES);
        }
        String key = PGProperty.SSL_KEY.getOrNull(given);
        String objection = key == null ? "" : TlsFiles.objection(key);
        if (!objection.isEmpty()) {
            throw new TargetException(objection);
        }
        String certificate = PGProperty.SSL_CERT.getOrNull(given);
        String algorithm = certificate == null ? null : TlsFiles.algorithm(certificate);
        if (algorithm != null && PGProperty.PEM_KEY_ALGORITHM.getOrNull(given) == null) {
            PGProperty.PEM_KEY_ALGORITHM.set(given, algorithm);
        }
        return given;
    }

    /** The properties of control connections. */
    static Properties control(Endpoint endpoint, Properties given, String user) {
        Properties p = base(endpoint, given, user, "pgstress control");
        // a named statement belongs to one server session, and behind a pooler the next statement may run in another
        PGProperty.PREPARE_THRESHOLD.set(p, 0);
        PGProperty.PREPARED_STATEMENT_CACHE_QUERIES.set(
                p, 0); // the cache would keep one that was named for its description
        return p;
    }

    /** The properties of the load's connections. */
    static Properties load(Endpoint endpoint, Properties given, String user, StatementMode mode, int clients) {
        Properties p = base(endpoint, given, user, SessionPurpose.LOAD_NAME);
        PGProperty.PREPARE_THRESHOLD.set(p, mode == StatementMode.PREPARED ? 1 : 0);
        if (PGProperty.REWRITE_BATCHED_INSERTS.getOrNull(given) == null) {
            // affects batches only: several rows per INSERT, as with COPY and multi-row inserts
            PGProperty.REWRITE_BATCHED_INSERTS.set(p, true);
        }
        if (PGProperty.MAX_SEND_BUFFER_SIZE.getOrNull(given) == null) {
            PGProperty.MAX_SEND_BUFFER_SIZE.set(
                    p, Math.max(DRIVERS_SEND_BUFFER_BYTES, Math.min(SEND_BUFFER_BYTES, SEND_BUFFERS_BYTES / clients)));
        }
        return p;
    }

    /** The URL's, with user and password from the environment or the password file if it has none. */
    private static Properties base(Endpoint endpoint, Properties given, String user, String applicationName) {
        Properties p = new Properties();
        given.stringPropertyNames().forEach(name -> p.setProperty(name, given.getProperty(name)));
        if (PGProperty.USER.getOrNull(given) == null) {
            String name = user.isEmpty() ? System.getenv("PGUSER") : user;
            if (name != null && !name.isEmpty()) {
                PGProperty.USER.set(p, name);
            }
        }
        if (PGProperty.PASSWORD.getOrNull(given) == null) {
            String password = System.getenv("PGPASSWORD");
            PGProperty.PASSWORD.set(p, password == null ? PasswordFile.password(endpoint, role(p), p) : password);
        }
        PGProperty.APPLICATION_NAME.set(p, applicationName);
        // sends the application name while connecting, without an extra statement; all supported servers are newer
        PGProperty.ASSUME_MIN_SERVER_VERSION.set(p, "9.4");
        if (PGProperty.CONNECT_TIMEOUT.getOrNull(given) == null) {
            PGProperty.CONNECT_TIMEOUT.set(p, CONNECT_SECONDS);
        }
        return p;
    }

    /**
     * The command that prints the password; null if there is none.
     *
     * @param p the properties of a connection
     */
    static @Nullable PasswordCommand passwordCommand(Endpoint endpoint, Properties p, Login login) {
        if (login.passwordCommand().isEmpty()) {
            return null;
        }
        String user = role(p);
        String database = PGProperty.PG_DBNAME.getOrNull(p);
        Map<String, String> environment =
                PasswordCommand.environment(endpoint, user, database == null ? user : database);
        return new PasswordCommand(login.passwordCommand(), environment, System::nanoTime);
    }

    /** The role of a connection; the driver's default is the user of the operating system. */
    static String role(Properties p) {
        String user = PGProperty.USER.getOrNull(p);
        return user == null ? System.getProperty("user.name") : user;
    }

    /** A copy whose sessions have this name. */
    static Properties named(Properties same, String applicationName) {
        Properties p = new Properties();
        p.putAll(same);
        PGProperty.APPLICATION_NAME.set(p, applicationName);
        return p;
    }

    /** A copy with these settings as startup options. */
    static Properties withOptions(Properties same, Map<String, String> settings) {
        Properties p = new Properties();
        p.putAll(same);
        StringJoiner options = new StringJoiner(" ");
        String before = PGProperty.OPTIONS.getOrNull(p);
        if (before != null) {
            options.add(before);
        }
        settings.forEach((name, value) ->
                options.add("-c " + name + "=" + value.replace("\\", "\\\\").replace(" ", "\\ ")));
        if (options.length() > 0) {
            PGProperty.OPTIONS.set(p, options.toString());
        }
        return p;
    }

    /** The files of a client certificate, as far as the driver does not read them as libpq does. */
    private static final class TlsFiles {
        /** Enough for the first line of a key. */
        private static final int HEAD_BYTES = 4096;

        private TlsFiles() {}

        /**
         * What prevents the driver from reading a key that libpq reads; an empty string if it can, or if the file cannot be read, which it
         * reports itself.
         *
         * @param file in PEM or DER, or PKCS#12
         */
        static String objection(String file) {
            String head = head(file);
            if (head.contains("-----BEGIN ENCRYPTED PRIVATE KEY")) {
                return "sslkey " + file + " is an encrypted PEM file, which the driver does not read; "
                        + convert(file, "") + " makes an encrypted DER file of it";
            }
            if (head.contains("PRIVATE KEY-----") && !head.contains("-----BEGIN PRIVATE KEY")) {
                return "sslkey " + file + " is not in PKCS#8; " + convert(file, "-nocrypt ") + " converts it";
            }
            return "";
        }

        private static String convert(String file, String option) {
            return "openssl pkcs8 -topk8 " + option + "-outform DER -in " + file + " -out KEY.pk8";
        }

        private static String head(String file) {
            try (InputStream in = Files.newInputStream(Path.of(file))) {
                return new String(in.readNBytes(HEAD_BYTES), StandardCharsets.ISO_8859_1);
            } catch (IOException | InvalidPathException e) {
                return "";
            }
        }

        /**
         * The algorithm of the key in a certificate, such as {@code EC}; null if there is no readable certificate. The driver takes any key
         * in PEM for one of RSA.
         */
        static @Nullable String algorithm(String certificate) {
            try (InputStream in = Files.newInputStream(Path.of(certificate))) {
                return CertificateFactory.getInstance("X.509")
                        .generateCertificate(in)
                        .getPublicKey()
                        .getAlgorithm()
                        .toUpperCase(Locale.ROOT);
            } catch (IOException | InvalidPathException | GeneralSecurityException e) {
                return null;
            }
        }
    }
}
