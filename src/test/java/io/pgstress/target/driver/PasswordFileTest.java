package io.pgstress.target.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.plan.Endpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/** Passwords come from the same file as with libpq. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "it has no such permissions, and libpq looks elsewhere")
final class PasswordFileTest {
    private static final String PROPERTY = "org.postgresql.pgpassfile";
    private static final String URL = "jdbc:postgresql://127.0.0.1:5432/db?user=me";

    @TempDir
    private Path home;

    private String before;

    @BeforeEach
    void forget() {
        before = System.getProperty(PROPERTY);
        System.clearProperty(PROPERTY);
    }

    @AfterEach
    void restore() {
        System.clearProperty(PROPERTY);
        if (before != null) {
            System.setProperty(PROPERTY, before);
        }
    }

    private Path write(String name, String permissions) throws IOException {
        Path file = Files.writeString(home.resolve(name), "*:*:*:me:secret\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    private static String password() {
        return Driver.parseURL(URL, new java.util.Properties()).getProperty("password");
    }

    @Test
    void isFoundInHome() throws IOException {
        write(".pgpass", "rw-------");
        assertThat(PasswordFile.choose(Map.of("HOME", home.toString()))).isEmpty();
        assertThat(password()).isEqualTo("secret");
    }

    @Test
    void isTheOneNamedByPgpassfile() throws IOException {
        Path named = write("other", "r--------");
        assertThat(PasswordFile.choose(Map.of("HOME", "/nonexistent", "PGPASSFILE", named.toString())))
                .isEmpty();
        assertThat(password()).isEqualTo("secret");
    }

    @Test
    void isIgnoredIfOthersMayReadIt() throws IOException {
        write(".pgpass", "rw-r--r--");
        assertThat(PasswordFile.choose(Map.of("HOME", home.toString())))
                .contains(".pgpass is ignored: it has group or world access")
                .contains("chmod 600");
        assertThat(password()).isNull();
    }

    @Test
    void isIgnoredIfItIsNotAFile() throws IOException {
        Files.createDirectory(home.resolve(".pgpass"));
        assertThat(PasswordFile.choose(Map.of("HOME", home.toString()))).contains("not a plain file");
        assertThat(password()).isNull();
    }

    @Test
    void hasAddressesOfIpv6WithoutBrackets() throws IOException {
        Path file = write(".pgpass", "rw-------");
        Files.writeString(file, "\\:\\:1:5432:db:me:six\n");
        assertThat(PasswordFile.choose(Map.of("HOME", home.toString()))).isEmpty();
        Properties properties = new Properties();
        PGProperty.USER.set(properties, "me");
        PGProperty.PG_DBNAME.set(properties, "db");

        assertThat(PasswordFile.password(
                        new Endpoint("jdbc:postgresql://[::1]:5432/db", 0),
                        DriverProperties.role(properties),
                        properties))
                .isEqualTo("six");
    }

    @Test
    void mayBeMissing() {
        assertThat(PasswordFile.choose(Map.of("HOME", home.toString()))).isEmpty();
        assertThat(password()).isNull();
    }
}
