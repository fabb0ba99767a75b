package io.pgstress.testing;

import io.pgstress.testing.TestServer.HbaRules;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * TLS on the tests' server, for as long as this is open. The role {@code tlscert} needs a client certificate, {@code tls_scram} the
 * password {@code secret}.
 */
public final class TlsServer implements AutoCloseable {
    private static final List<String> SETTINGS = List.of("ssl", "ssl_cert_file", "ssl_key_file", "ssl_ca_file");

    private final String admin = TestServer.maintenanceUrl();
    private final HbaRules rules;

    /** Starts to use this certificate, its key and that of the CA of clients. */
    public TlsServer(Path certificate, Path key, Path clientAuthority) throws IOException {
        rules = new HbaRules(
                "hostssl all tlscert 127.0.0.1/32 cert",
                "hostssl all tls_scram 127.0.0.1/32 scram-sha-256",
                "hostnossl all tlscert,tls_scram 127.0.0.1/32 reject");
        drop();
        TestServer.execute(
                admin,
                "create role tlscert login",
                "set password_encryption = 'scram-sha-256'",
                "create role tls_scram login password 'secret'");
        TestServer.execute(
                admin, "alter system set ssl_ca_file = '" + clientAuthority + "'", "alter system set ssl = on");
        present(certificate, key);
    }

    /** Uses another certificate from now on. */
    public void present(Path certificate, Path key) {
        TestServer.execute(
                admin,
                "alter system set ssl_cert_file = '" + certificate + "'",
                "alter system set ssl_key_file = '" + key + "'");
        reload("on", true);
    }

    private static void reload(String ssl, boolean isUsed) {
        TestServer.reload("current_setting('ssl') = '" + ssl
                + "' and (select ssl from pg_stat_ssl where pid = pg_backend_pid()) = " + isUsed);
    }

    private void drop() {
        TestServer.execute(admin, "drop role if exists tlscert", "drop role if exists tls_scram");
    }

    @Override
    public void close() throws IOException {
        rules.close();
        for (String setting : SETTINGS) {
            TestServer.execute(admin, "alter system reset " + setting);
        }
        reload("off", false);
        drop();
    }
}
