package io.pgstress.target.driver;

import io.pgstress.plan.Endpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGProperty;
import org.postgresql.jdbcurlresolver.PgPassParser;

/**
 * The password file, chosen as by libpq: {@code PGPASSFILE}, else {@code .pgpass} in {@code $HOME}. The driver by itself would
 * look in the home directory according to the user database. It is ignored if others may read it. The driver reads the choice
 * from its system property, so it applies to the whole process.
 */
public final class PasswordFile {
    private static final String PROPERTY = "org.postgresql.pgpassfile";
    private static final String NO_FILE = "/dev/null";

    private static final Set<PosixFilePermission> OWNERS =
            Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    private static final Path DEFAULT_SOCKETS = Path.of("/var/run/postgresql");

    private PasswordFile() {}

    /**
     * Chooses the file; if the platform has no such permissions, or the property is set already, the driver chooses.
     *
     * @return why the file is ignored, to be reported; empty if it is used or does not exist
     */
    public static String choose(Map<String, String> environment) {
        String named = environment.getOrDefault("PGPASSFILE", "");
        String home = environment.getOrDefault("HOME", "");
        if (System.getProperty(PROPERTY) != null || (named.isEmpty() && home.isEmpty())) {
            return "";
        }
        Path file = named.isEmpty() ? Path.of(home, ".pgpass") : Path.of(named);
        PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        if (view == null) {
            return "";
        }
        String objection = Files.exists(file) ? objection(file, view) : "";
        System.setProperty(PROPERTY, objection.isEmpty() ? file.toString() : NO_FILE);
        return objection;
    }

    /**
     * The password of a role there, as libpq finds it: the default directory of Unix sockets is {@code localhost}, other
     * directories are their own names, and addresses of IPv6 have no brackets.
     *
     * @param properties the driver's, with the database if it is known
     * @return null if there is none; for a Unix socket, an empty string, because the driver would look for localhost
     */
    static @Nullable String password(Endpoint endpoint, String role, Properties properties) {
        String database = PGProperty.PG_DBNAME.getOrNull(properties);
        Path socket = Path.of(endpoint.socketFile()).getParent();
        String host = socket == null || socket.equals(DEFAULT_SOCKETS)
                ? endpoint.host().replaceAll("^\\[|]$", "")
                : socket.toString();
        String password = PgPassParser.getPassword(
                host, Integer.toString(endpoint.port()), database == null ? role : database, role);
        return password == null && socket != null ? "" : password;
    }

    private static String objection(Path file, PosixFileAttributeView view) {
        try {
            if (!Files.isRegularFile(file)) {
                return "password file " + file + " is ignored: it is not a plain file";
            }
            return OWNERS.containsAll(view.readAttributes().permissions())
                    ? ""
                    : "password file " + file + " is ignored: it has group or world access; run: chmod 600 " + file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
