package io.pgstress.target.driver;

import java.security.InvalidAlgorithmParameterException;
import java.security.UnrecoverableKeyException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.sql.SQLException;
import java.util.Properties;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.crypto.BadPaddingException;
import javax.net.ssl.SSLException;
import javax.security.auth.callback.UnsupportedCallbackException;
import org.jspecify.annotations.Nullable;

/**
 * Says what is wrong if TLS fails. The driver's messages name classes, or a consequence instead of the cause. They are recognized by
 * their causes, as the driver translates its texts.
 */
public final class TlsErrors {
    /** The server's alert if a signature of the client is wrong (RFC 8446, 6.2). */
    private static final String OF_PROOF = "decrypt_error";

    /** As the driver's message names its class {@code PGjdbcHostnameVerifier}. */
    private static final String VERIFIER = "PgjdbcHostnameVerifier";

    private TlsErrors() {}

    /**
     * Silences the driver's log of host names that a certificate lacks: the exception says so. The logger lasts as long as the
     * caller keeps it.
     */
    public static Logger silenced() {
        Logger log = Logger.getLogger("org.postgresql.ssl.PGjdbcHostnameVerifier");
        log.setLevel(Level.OFF);
        return log;
    }

    /**
     * The same failure with a message that names the cause; the failure itself if it is not one of TLS.
     *
     * @param given the connection's properties
     */
    public static SQLException explained(SQLException e, Properties given, String host) {
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
                    + (expired != null ? "has expired (" + expired.getMessage() : "is not valid yet (" + detail(early))
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
