package io.pgstress.testing;

import io.pgstress.target.embedded.EmbeddedServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * A PostgreSQL with a Unix socket that wants the role {@code token} to have a password and trusts everybody else, except on the socket
 * {@code peer} and {@code stranger}: the user of the operating system may be {@code peer}. Kept under {@code target} between builds;
 * it runs until it is closed.
 */
public final class LoginServer implements AutoCloseable {
    private static final Path HOME = Path.of("target", "login-server" + System.getProperty("pgstress.test.fork", ""))
            .toAbsolutePath();

    private final Path sockets;
    private final EmbeddedServer server;

    public LoginServer() throws IOException {
        sockets = Files.createTempDirectory("pgs");
        ServerHomes.make(HOME);
        configure();
        server = EmbeddedServer.open(HOME);
        TestServer.execute(
                url("postgres"),
                "drop table if exists docs",
                "drop role if exists token, peer, stranger",
                "create role token login",
                "create role peer login",
                "create role stranger login");
        TestServer.table(url("postgres"), "docs", 100);
        TestServer.execute(url("postgres"), "grant select on docs to token, peer");
    }

    private void configure() throws IOException {
        Path data = data();
        Files.writeString(data.resolve("postgresql.auto.conf"), "unix_socket_directories = '" + sockets + "'\n");
        Files.writeString(data.resolve("pg_hba.conf"), """
                local all token scram-sha-256
                host all token all scram-sha-256
                local all peer peer map=os
                local all stranger peer map=os
                local all all trust
                host all all all trust
                """);
        Files.writeString(data.resolve("pg_ident.conf"), "os " + osUser() + " peer\n");
    }

    private static Path data() {
        try (Stream<Path> all = Files.find(HOME, 4, (path, a) -> path.endsWith("pg_hba.conf"))) {
            return all.findFirst().orElseThrow().getParent();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Root's server runs in a user namespace, in which root is unknown. */
    private static String osUser() {
        String name = System.getProperty("user.name");
        return name.equals("root") ? "nobody" : name;
    }

    /** Its URL by TCP. */
    public String url(String user) {
        return server.url().replaceFirst("user=[^&]*", "user=" + user);
    }

    /** The directory of its Unix socket. */
    public Path sockets() {
        return sockets;
    }

    public int port() {
        return server.port();
    }

    @Override
    public void close() throws IOException {
        server.close();
        Files.deleteIfExists(sockets);
    }
}
