package io.pgstress.target.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.plan.Endpoint;
import io.pgstress.testing.TestServer;
import io.pgstress.testing.TestServer.HbaRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When the command that prints a password is run, and what it may do. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "it has no sh")
final class PasswordCommandTest {
    @TempDir
    private Path directory;

    private final AtomicLong seconds = new AtomicLong();

    private PasswordCommand command(String text) {
        return new PasswordCommand(text, Map.of(), () -> TimeUnit.SECONDS.toNanos(seconds.get()));
    }

    /** Prints the number of its run. */
    private PasswordCommand counting() {
        return command("cd " + directory + "; echo x >> runs; wc -l < runs");
    }

    private long runs() throws IOException {
        return Files.readAllLines(directory.resolve("runs")).size();
    }

    @Test
    void isRunAgainAfterAMinute() throws SQLException {
        PasswordCommand command = counting();
        assertThat(command.password().trim()).isEqualTo("1");
        seconds.addAndGet(PasswordCommand.REUSE_SECONDS - 1);
        assertThat(command.password().trim()).isEqualTo("1");
        seconds.addAndGet(1);
        assertThat(command.password().trim()).isEqualTo("2");
    }

    @Test
    void connectionsAtTheSameTimeShareARun() throws IOException {
        PasswordCommand command = counting();
        List<CompletableFuture<String>> all = IntStream.range(0, 8)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> {
                    try {
                        return command.password();
                    } catch (SQLException e) {
                        throw new IllegalStateException(e);
                    }
                }))
                .toList();
        assertThat(all).allSatisfy(one -> assertThat(one.join().trim()).isEqualTo("1"));
        assertThat(runs()).isEqualTo(1);
    }

    @Test
    void refusedPasswordIsReplacedUnlessItIsNew() throws SQLException {
        PasswordCommand command = counting();
        String first = command.password();
        assertThat(command.isOutdated(first)).isFalse();
        assertThat(command.password()).isEqualTo(first);
        seconds.addAndGet(PasswordCommand.AGAIN_SECONDS);
        assertThat(command.isOutdated(first)).isTrue();
        String second = command.password();
        assertThat(second.trim()).isEqualTo("2");
        assertThat(command.isOutdated(first)).as("others have asked again").isTrue();
        assertThat(command.password()).isEqualTo(second);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "exit 3 | exited with status 3",
                "echo secret; echo why >&2; echo more >&2; exit 1 | exited with status 1: why",
                "true | printed no password",
                "echo; echo secret | printed no password",
                "no-such-command-here 2>/dev/null | exited with status 127"
            })
    void failureIsToldWithoutTheOutput(String text, String expected) {
        assertThatThrownBy(() -> command(text).password())
                .isInstanceOf(SQLException.class)
                .hasMessage("--password-command " + expected);
    }

    /** Its thread has ended, and each connection would wait for it for ever. */
    @Test
    void unexpectedFailureIsToldToo() {
        PasswordCommand command = new PasswordCommand("true", Collections.singletonMap(null, "x"), () -> 0);
        assertThatThrownBy(command::password)
                .isInstanceOf(SQLException.class)
                .hasMessageStartingWith("--password-command failed: java.lang.NullPointerException");
    }

    @Test
    void failureIsNotRepeatedAtOnce() throws IOException {
        PasswordCommand command = command("cd " + directory + "; echo x >> runs; exit 1");
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(command::password).isInstanceOf(SQLException.class);
        }
        assertThat(runs()).isEqualTo(1);
        seconds.addAndGet(PasswordCommand.AGAIN_SECONDS);
        assertThatThrownBy(command::password).isInstanceOf(SQLException.class);
        assertThat(runs()).isEqualTo(2);
    }

    @Test
    void connectionsSurviveAChangeOfThePassword() throws IOException, SQLException {
        Path token = Files.writeString(directory.resolve("token"), "one");
        String admin = TestServer.maintenanceUrl();
        TestServer.execute(admin, "drop role if exists token", "create role token login password 'one'");
        HbaRules rules = new HbaRules("host all token all scram-sha-256");
        try (rules) {
            TestServer.reload("true");
            Endpoint endpoint = new Endpoint(admin.replaceFirst("user=[^&]*", "user=token"), 0);
            Properties given = DriverProperties.given(endpoint);
            PasswordCommand command = command("cd " + directory + "; echo x >> runs; cat token");
            EndpointDriver driver = new EndpointDriver(endpoint, given, command, PasswordPrompt.NONE);
            driver.open(given, 0, 0).close();
            TestServer.execute(admin, "alter role token password 'two'");
            assertThatThrownBy(() -> driver.open(given, 0, 0))
                    .as("the password is new")
                    .hasMessageContaining("password authentication failed");
            Files.writeString(token, "two");
            seconds.addAndGet(PasswordCommand.AGAIN_SECONDS);
            driver.open(given, 0, 0).close();
            driver.open(given, 0, 0).close();
            assertThat(runs()).isEqualTo(2);
        }
    }

    @Test
    void onlyTheFirstLineIsThePassword() throws SQLException {
        assertThat(command("printf 'one two\\r\\nthree'").password()).isEqualTo("one two");
    }
}
