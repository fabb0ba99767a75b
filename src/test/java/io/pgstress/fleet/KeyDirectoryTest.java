package io.pgstress.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class KeyDirectoryTest {
    private static final Instant NOW = Instant.parse("2026-11-22T10:00:00Z");

    @TempDir
    static Path shared;

    @TempDir
    Path temp;

    /** Of one host, {@code a}: each key takes a JVM. */
    private static Path keys;

    @BeforeAll
    static void makeKeys() throws Exception {
        keys = create(shared.resolve("keys"), "a");
    }

    private static Path create(Path directory, String... hosts) throws Exception {
        KeyDirectory.create(directory, List.of(hosts), NOW);
        return directory;
    }

    private static X509Certificate[] chain(Path directory, String file) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(directory.resolve(file))) {
            store.load(in, FleetTls.password(directory.resolve("password"), Map.of()));
        }
        return Arrays.copyOf(store.getCertificateChain("pgstress"), 2, X509Certificate[].class);
    }

    @Test
    void certificatesOfHostsAreValidAndNameThem() throws Exception {
        Path directory = create(temp.resolve("keys"), "db1.example.org", "192.0.2.7", "2001:db8::1", "*.agents.svc");

        X509Certificate[] name = chain(directory, "db1.example.org.p12");
        X509Certificate ca = name[1];
        assertThat(names(name[0])).containsExactly(List.of(2, "db1.example.org"));
        assertThat(names(chain(directory, "192.0.2.7.p12")[0])).containsExactly(List.of(7, "192.0.2.7"));
        assertThat(names(chain(directory, "2001-db8--1.p12")[0])).containsExactly(List.of(7, "2001:db8:0:0:0:0:0:1"));
        assertThat(names(chain(directory, "all.agents.svc.p12")[0])).containsExactly(List.of(2, "*.agents.svc"));

        assertThat(name[0].getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2");
        assertThat(name[0].getBasicConstraints()).isEqualTo(-1);
        assertThat(ca.getBasicConstraints()).isEqualTo(Integer.MAX_VALUE);
        assertThat(ca.getKeyUsage()[5]).as("signs certificates").isTrue();
        assertThat(name[0].getKeyUsage()[0]).as("signs data").isTrue();
        assertThat(name[0].getNotAfter().toInstant()).isAfter(NOW.plus(Duration.ofDays(1000)));
        assertThat(name[0].getSerialNumber()).isPositive().isNotEqualTo(ca.getSerialNumber());

        PKIXParameters trust = new PKIXParameters(Set.of(new TrustAnchor(ca, null)));
        trust.setRevocationEnabled(false);
        trust.setDate(java.util.Date.from(NOW));
        CertPathValidator.getInstance("PKIX")
                .validate(CertificateFactory.getInstance("X.509").generateCertPath(List.of(name[0])), trust);
    }

    private static Collection<List<?>> names(X509Certificate certificate) throws Exception {
        return certificate.getSubjectAlternativeNames();
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void onlyTheOwnerMayReadTheFiles() throws Exception {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(keys)))
                .isEqualTo("rwx------");
        try (var files = Files.list(keys)) {
            List<Path> all = files.toList();
            assertThat(all)
                    .extracting(file -> file.getFileName().toString())
                    .containsExactlyInAnyOrder("a.p12", "truststore.p12", "password", "ca.p12", "ca.password");
            for (Path file : all) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                        .as(file.toString())
                        .isEqualTo("rw-------");
            }
        }
        assertThat(Files.readString(keys.resolve("password")))
                .hasSizeGreaterThan(30)
                .isNotEqualTo(Files.readString(keys.resolve("ca.password")));
    }

    @Test
    void nothingIsOverwritten() throws Exception {
        byte[] before = Files.readAllBytes(keys.resolve("a.p12"));
        assertThatThrownBy(() -> create(keys, "a")).isInstanceOf(FileAlreadyExistsException.class);
        assertThat(Files.readAllBytes(keys.resolve("a.p12"))).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "../a", "a b", "-x", "ca", "truststore", "a/b", "1.2.3.4.5"})
    void malformedHostIsRefused(String host) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> create(temp.resolve("keys"), host))
                .withMessageContaining(host);
    }

    @Test
    void passwordComesFromTheVariableOrAFile() throws Exception {
        assertThat(FleetTls.password(null, Map.of(FleetTls.PASSWORD_VARIABLE, "x")))
                .containsExactly('x');
        assertThatIOException()
                .isThrownBy(() -> FleetTls.password(null, Map.of()))
                .withMessage("PGSTRESS_TLS_PASSWORD is not set");
        Path file = Files.writeString(temp.resolve("password"), "secret\nrest\n");
        assertThat(FleetTls.password(file, Map.of())).isEqualTo("secret".toCharArray());
        Files.writeString(file, "\n");
        assertThatIOException().isThrownBy(() -> FleetTls.password(file, Map.of()));
    }

    @Test
    void storeWithAnotherPasswordIsNamed() throws Exception {
        assertThatIOException()
                .isThrownBy(() ->
                        FleetTls.context(keys.resolve("a.p12"), keys.resolve("truststore.p12"), "wrong".toCharArray()))
                .withMessageContaining("a.p12: keystore password was incorrect");
    }
}
