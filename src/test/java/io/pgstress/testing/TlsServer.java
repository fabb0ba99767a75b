package io.pgstress.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * TLS on the tests' server, for as long as this is open. The role {@code tlscert} needs a client certificate, {@code tls_scram} the
 * password {@code secret}.
 */
public final class TlsServer implements AutoCloseable {
    private static final List<String> RULES = List.of(
            "hostssl all tlscert 127.0.0.1/32 cert",
            "hostssl all tls_scram 127.0.0.1/32 scram-sha-256",
            "hostnossl all tlscert,tls_scram 127.0.0.1/32 reject");
    private static final List<String> SETTINGS = List.of("ssl", "ssl_cert_file", "ssl_key_file", "ssl_ca_file");

    private final String admin = TestServer.maintenanceUrl();
    private final Path rules = Path.of(TestServer.text(admin, "show hba_file"));
    private final String oldRules;

    /** Starts to use this certificate, its key and that of the CA of clients. */
    public TlsServer(Path certificate, Path key, Path clientAuthority) throws IOException {
        oldRules = Files.readString(rules);
        Files.writeString(rules, String.join("\n", RULES) + "\n" + oldRules);
        drop();
        TestServer.execute(
                admin,
                "create role tlscert login",
                "set password_encryption = 'scram-sha-256'",
                "create role tls_scram login password 'secret'");
        use(certificate, key, clientAuthority);
    }

    private void use(Path certificate, Path key, Path clientAuthority) {
        TestServer.execute(
                admin,
                "alter system set ssl_cert_file = '" + certificate + "'",
                "alter system set ssl_key_file = '" + key + "'",
                "alter system set ssl_ca_file = '" + clientAuthority + "'",
                "alter system set ssl = on");
        reload("on", true);
    }

    /** Uses another certificate from now on. */
    public void present(Path certificate, Path key) {
        TestServer.execute(
                admin,
                "alter system set ssl_cert_file = '" + certificate + "'",
                "alter system set ssl_key_file = '" + key + "'");
        reload("on", true);
    }

    /** The server reads its configuration a moment later; new sessions show whether it has. */
    private void reload(String ssl, boolean isUsed) {
        String before = TestServer.text(admin, "select clock_timestamp()");
        TestServer.execute(admin, "select pg_reload_conf()");
        String isDone = "select pg_conf_load_time() > '" + before + "' and current_setting('ssl') = '" + ssl
                + "' and (select ssl from pg_stat_ssl where pid = pg_backend_pid()) = " + isUsed;
        long end = System.nanoTime() + 10_000_000_000L;
        while (!"t".equals(TestServer.text(admin, isDone))) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("the server did not read its configuration");
            }
        }
    }

    private void drop() {
        TestServer.execute(admin, "drop role if exists tlscert", "drop role if exists tls_scram");
    }

    @Override
    public void close() throws IOException {
        Files.writeString(rules, oldRules);
        for (String setting : SETTINGS) {
            TestServer.execute(admin, "alter system reset " + setting);
        }
        reload("off", false);
        drop();
    }
}
