package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pgstress.fleet.TestAuthority;
import io.pgstress.report.file.ResultFile;
import io.pgstress.result.RunResult;
import io.pgstress.target.loop.EventLoops;
import io.pgstress.testing.EveryJdk;
import io.pgstress.testing.PasswordRefusal;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import io.pgstress.testing.TlsServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS to the server: what is verified, client certificates, channel binding, and what is said if something is wrong. */
@EveryJdk
@Slow
final class TlsTest {
    @TempDir
    private static Path files;

    private static TlsServer server;
    private static TestAuthority authority;
    private static TestAuthority stranger;
    private static String url;

    @BeforeAll
    static void start() throws Exception {
        url = TestServer.freshDatabase("tls")
                .replaceFirst("127.0.0.1", "localhost")
                .replaceFirst("\\?.*", "");
        TestServer.table(TestServer.maintenanceUrl().replace("/postgres?", "/tls?"), "docs", 10);
        TestServer.execute(
                TestServer.maintenanceUrl().replace("/postgres?", "/tls?"), "grant select on docs to public");
        authority = new TestAuthority(files.resolve("ours"), Instant.now());
        stranger = new TestAuthority(files.resolve("strangers"), Instant.now());
        authority.certify("localhost", "x");
        authority.certify("tlscert", "secret");
        authority.certify("another", "secret");
        stranger.certify("tlscert", "secret");
        server = new TlsServer(file("localhost.crt"), file("localhost.key"), authority.certificate());
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    private static Path file(String name) {
        return files.resolve("ours").resolve(name);
    }

    private static Ended run(String target, String parameters, String... options) {
        String load = "-t docs --op find_first -c 2 --warmup 0s -T 50ms --url " + target + "?" + parameters;
        return Ended.stress(load, String.join(" ", options));
    }

    private static String verified(TestAuthority by) {
        return "sslmode=verify-full&sslrootcert=" + by.certificate();
    }

    private static String asOwner(String key) {
        return verified(authority) + "&user=tlscert&sslcert=" + file("tlscert.crt") + "&sslkey=" + file(key);
    }

    private static void works(Ended ended) {
        assertThat(ended.code())
                .as(ended.err())
                .isIn(ExitCode.DONE, ExitCode.NOT_VALID); // so short a run need not be valid
        assertThat(ended.out()).containsPattern("server .*, TLSv1\\.3, TLS_\\w+\n");
    }

    private static void fails(Ended ended, String reason) {
        assertThat(ended.err()).startsWith("stress: ").endsWith(reason + "\n").hasLineCount(1);
        assertThat(ended.code()).isEqualTo(ExitCode.TARGET);
        assertThat(ended.out()).isEmpty();
    }

    @Test
    void verifiesTheServerAndReportsProtocolAndCipher() throws Exception {
        Path file = files.resolve("result.json");

        works(run(url, verified(authority) + "&user=postgres", "--json " + file));
        RunResult result = (RunResult) ResultFile.read(file);
        assertThat(result.servers().get(0).tls()).startsWith("TLSv1.3, TLS_");
        works(run(url.replace("jdbc:", ""), verified(authority) + "&user=postgres", "--connect per-transaction"));
        works(run(url, verified(authority) + "&user=postgres", "--pool hikari --pool-size 1"));
    }

    /** The driver lays TLS over the sockets of each kind of thread. */
    @ParameterizedTest
    @ValueSource(strings = {"virtual", "loop"})
    void otherKindsOfClientThreadsUseIt(String kind) {
        assumeTrue(!kind.equals("loop") || EventLoops.areAvailable(), "event loops: they need JDK 24 or 25");
        assumeTrue(
                !kind.equals("virtual") || Runtime.version().feature() >= 21,
                "virtual threads: they need JDK 21 or newer");

        works(run(url, verified(authority) + "&user=postgres", "--client-threads " + kind));
    }

    @Test
    void certificateOfAnotherHostIsRefused() {
        fails(
                run(url.replace("localhost", "127.0.0.1"), verified(authority) + "&user=postgres"),
                "TLS: the server's certificate does not name the host 127.0.0.1: connect by a name that it has, or"
                        + " check only its CA (sslmode=verify-ca)");
        works(run(
                url.replace("localhost", "127.0.0.1"),
                verified(authority).replace("verify-full", "verify-ca") + "&user=postgres"));
    }

    @Test
    void certificateOfAStrangerIsRefused() {
        String notSigned = " has signed the server's certificate (sslrootcert)";
        fails(run(url, verified(stranger) + "&user=postgres"), "TLS: no CA in " + stranger.certificate() + notSigned);
        fails(run(url, "sslmode=verify-full&sslrootcert=system&user=postgres"), "TLS: no CA of the JVM" + notSigned);
    }

    @Test
    void fileOfAuthoritiesMustExistAndHaveSome() {
        Path missing = file("missing.crt");
        fails(
                run(url, "sslmode=verify-full&user=postgres&sslrootcert=" + missing),
                "Could not open SSL root certificate file " + missing + ".");
        fails(
                run(url, "sslmode=verify-full&user=postgres&sslrootcert=" + file("tlscert.key")),
                "TLS: sslrootcert " + file("tlscert.key") + " has no certificate");
    }

    @Test
    void fileOfTheClientsCertificateMustHaveOne() {
        fails(
                run(url, asOwner("tlscert.key").replace("tlscert.crt", "tlscert.key")),
                "TLS: sslcert " + file("tlscert.key") + " has no certificate");
    }

    @Test
    void expiredCertificateIsRefused() throws Exception {
        TestAuthority old =
                new TestAuthority(files.resolve("old"), Instant.now().minus(Duration.ofDays(2000)));
        Path certificate = old.certify("localhost", "x");
        server.present(certificate, files.resolve("old/localhost.key"));
        try {
            Ended ended = run(url, verified(old) + "&user=postgres");
            assertThat(ended.err())
                    .contains(": TLS: the server's certificate, or that of its CA, has expired (NotAfter: ")
                    .hasLineCount(1);
            assertThat(ended.code()).isEqualTo(ExitCode.TARGET);
        } finally {
            server.present(file("localhost.crt"), file("localhost.key"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tlscert.pk8",
                "tlscert.key",
                "tlscert-encrypted.pk8&sslpassword=secret",
                "tlscert.p12&sslpassword=secret"
            })
    void clientCertificateIsAccepted(String key) {
        works(run(url, asOwner(key)));
    }

    @Test
    void clientCertificateThatIsMissingOrAnothersIsRefused() {
        String noValid = "FATAL: connection requires a valid client certificate";
        fails(run(url, verified(authority) + "&user=tlscert"), noValid + "; name one with sslcert and sslkey");
        fails(
                run(
                        url,
                        verified(authority) + "&user=tlscert&sslcert=" + files.resolve("strangers/tlscert.crt")
                                + "&sslkey=" + files.resolve("strangers/tlscert.pk8")),
                noValid + "; sslcert was not sent: none of the CAs that the server accepts has signed it");
        fails(
                run(url, asOwner("another.pk8").replace("tlscert.crt", "another.crt")),
                "FATAL: certificate authentication failed for user \"tlscert\"; the common name of sslcert must be"
                        + " the role, unless pg_ident.conf maps it");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tlscert-encrypted.pk8", "tlscert.p12"})
    void passPhraseThatIsMissingOrWrongIsReported(String key) {
        fails(
                run(url, asOwner(key)),
                "TLS: sslkey " + file(key) + " is encrypted: name its pass phrase with sslpassword");
        fails(
                run(url, asOwner(key) + "&sslpassword=geheim"),
                "TLS: sslkey " + file(key) + " cannot be decrypted: wrong pass phrase (sslpassword)");
    }

    @ParameterizedTest
    @CsvSource({
        "RSA PRIVATE KEY, is not in PKCS#8; openssl pkcs8 -topk8 -nocrypt -outform DER -in KEY -out KEY.pk8 converts"
                + " it",
        "EC PRIVATE KEY, is not in PKCS#8; openssl pkcs8 -topk8 -nocrypt -outform DER -in KEY -out KEY.pk8 converts it",
        "ENCRYPTED PRIVATE KEY, 'is an encrypted PEM file, which the driver does not read; openssl pkcs8 -topk8"
                + " -outform DER -in KEY -out KEY.pk8 makes an encrypted DER file of it'"
    })
    void keyInAFormThatTheDriverDoesNotReadIsReported(String kind, String objection) throws Exception {
        Path key = Files.writeString(
                file("other.key"), "-----BEGIN " + kind + "-----\nAAAA\n-----END " + kind + "-----\n");

        fails(run(url, asOwner("other.key")), "sslkey " + key + " " + objection.replace("in KEY", "in " + key));
    }

    @Test
    void channelBindingIsUsedIfRequired() {
        String scram = verified(authority) + "&user=tls_scram&password=secret&channelBinding=require";
        works(run(url, scram));

        fails(
                run(url, verified(authority) + "&user=postgres&channelBinding=require"),
                "Channel binding is required, but server skipped authentication. Channel binding is only supported"
                        + " with SCRAM authentication over encrypted connections.");
    }

    @Test
    void serverWithoutTlsIsRefusedIfTlsIsRequired() {
        try (PasswordRefusal plain = new PasswordRefusal()) {
            fails(
                    run(plain.url("x").replaceFirst("\\?.*", ""), "sslmode=require&user=u"),
                    "The server does not support SSL.");
        }
    }
}
