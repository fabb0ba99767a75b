package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.result.Connecting;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.testing.EveryJdk;
import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs with {@code --connect per-transaction}. */
@EveryJdk
final class NewSessionsTest {
    private static String url;

    @BeforeAll
    static void makeTable() {
        url = TestServer.freshDatabase("new_sessions");
        TestServer.table(url, "docs", 1_000);
        TestServer.execute(
                url,
                "create table pids (pid int)",
                "create function note() returns trigger language plpgsql"
                        + " as 'begin insert into pids values (pg_backend_pid()); return null; end'",
                "create trigger note after update on docs for each row execute function note()");
    }

    private static RunResult run(String at, int clients, String statement, String threads, String transaction) {
        return Runs.run(
                "-t docs --op find_update -c %s -M %s --client-threads %s --transaction=%s --connect per-transaction --warmup 0 -T 0.5 --url %s"
                        .formatted(clients, statement, threads, transaction, at));
    }

    @ParameterizedTest
    @CsvSource({"prepared, auto, false", "plain, platform, true", "extended, platform, false"})
    void eachOperationHasASessionOfItsOwn(String statement, String threads, String transaction) {
        TestServer.execute(url, "truncate pids");

        RunResult run = run(url, 4, statement, threads, transaction);

        assertThat(Runs.reasonsOfTheRunItself(run)).isEmpty();
        OperationResult update = run.operations().get("find_update");
        assertThat(update.errors()).isEmpty();
        assertThat(update.ok()).isPositive();
        long updates = TestServer.number(url, "select count(*) from pids");
        assertThat(updates).isGreaterThanOrEqualTo(update.ok());
        // the kernel may give a number again once it has given all
        assertThat(TestServer.number(url, "select count(distinct pid) from pids"))
                .isGreaterThan(updates * 9 / 10);
        assertThat(update.latencyMicros().get("acquire").min())
                .as("microseconds for a connection, at least a round trip")
                .isGreaterThan(5);
        Connecting connecting = run.load().connecting();
        assertThat(connecting.connect()).isEqualTo("per-transaction");
        assertThat(connecting.meanMicros())
                .isEqualTo(update.latencyMicros().get("acquire").mean());
        assertThat(connecting.opsPerSecondWith()).isCloseTo(update.opsPerSecond(), within(1e-6));
        assertThat(connecting.opsPerSecondWithout()).isGreaterThan(connecting.opsPerSecondWith());
    }

    @Test
    void clientsConnectBeforeTheLoadByDefault() {
        RunResult run = Runs.run("-t docs -c 4 --warmup 0 -T 0.3 --url " + url);

        Connecting connecting = run.load().connecting();
        assertThat(connecting.connect()).isEqualTo("per-client");
        assertThat(connecting.seconds()).isPositive();
        assertThat(connecting.meanMicros()).isNull();
        assertThat(connecting.opsPerSecondWithout())
                .isCloseTo(run.operations().get("find_first").opsPerSecond(), within(1e-6));
        assertThat(connecting.opsPerSecondWith()).isLessThan(connecting.opsPerSecondWithout());
    }

    @Test
    void refusedSessionsAreErrorsOfTheirOperations() {
        TestServer.execute(
                url,
                "drop role if exists few",
                "create role few login connection limit 7",
                "grant all on all tables in schema public to few");

        RunResult run = run(url.replaceFirst("user=\\w+", "user=few"), 16, "prepared", "auto", "false");

        OperationResult update = run.operations().get("find_update");
        assertThat(update.ok()).isPositive();
        assertThat(update.errors()).containsOnlyKeys("53300");
        assertThat(update.errors().get("53300").sample()).contains("too many connections for role");
        assertThat(run.reasons())
                .anyMatch(reason -> (reason.code() == RemarkCode.TOO_MANY_FAILED || reason.code() == RemarkCode.FAILED)
                        && reason.text().contains("53300"));
    }

    @Test
    void refusesAPool() {
        assertThatThrownBy(() -> Runs.spec("--connect per-transaction --pool hikari"))
                .isInstanceOf(InvalidPlanException.class)
                .hasMessageContaining("--connect: per-transaction has no effect with --pool hikari");
    }
}
