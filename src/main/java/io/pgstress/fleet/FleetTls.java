package io.pgstress.fleet;

import io.pgstress.text.TextFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Makes a TLS context of a key store and a trust store, both PKCS12 with the same password. */
public final class FleetTls {
    /** The environment variable with the stores' password. */
    public static final String PASSWORD_VARIABLE = "PGSTRESS_TLS_PASSWORD";

    private FleetTls() {}

    /**
     * The stores' password: from a file, or from the environment variable {@value #PASSWORD_VARIABLE}. It is no option, because
     * everyone on a host can read the command lines of its processes.
     *
     * @param file the first line is the password; null: the variable
     * @throws IOException if there is none, or the file cannot be read
     */
    public static char[] password(@Nullable Path file, Map<String, String> environment) throws IOException {
        String password = file == null
                ? environment.get(PASSWORD_VARIABLE)
                : TextFile.read(file, TextFile.SMALL).lines().findFirst().orElse("");
        if (password == null || password.isEmpty()) {
            throw new IOException(
                    file == null ? PASSWORD_VARIABLE + " is not set" : file + ": no password in the first line");
        }
        return password.toCharArray();
    }

    /** @throws IOException if a store cannot be read or has another password; the message names it */
    public static SSLContext context(Path keystore, Path truststore, char[] password) throws IOException {
        KeyStore keys = load(keystore, password);
        KeyStore trusted = load(truststore, password);
        try {
            KeyManagerFactory keyManagers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keyManagers.init(keys, password);
            TrustManagerFactory trustManagers =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trustManagers.init(trusted);
            SSLContext context = SSLContext.getInstance("TLSv1.3");
            context.init(keyManagers.getKeyManagers(), trustManagers.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("cannot use " + keystore + " for TLS: " + e.getMessage(), e);
        }
    }

    private static KeyStore load(Path file, char[] password) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, password);
            return store;
        } catch (GeneralSecurityException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        } catch (java.nio.file.NoSuchFileException e) {
            throw new IOException(file + ": no such file", e);
        } catch (IOException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }
}
