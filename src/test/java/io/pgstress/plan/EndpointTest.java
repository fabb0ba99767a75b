package io.pgstress.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.testing.Runs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** URLs of other servers of a cluster, and how clients are spread over them. */
final class EndpointTest {
    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://c1:5432/db?user=u, w1, 5433, jdbc:postgresql://w1:5433/db?user=u",
        "jdbc:postgresql://c1/db, w1, 5432, jdbc:postgresql://w1:5432/db",
        "jdbc:postgresql://c1/db, localhost, 5433, jdbc:postgresql://c1:5433/db",
        "jdbc:postgresql://127.0.0.1:1/db, localhost, 2, jdbc:postgresql://localhost:2/db",
        "jdbc:postgresql://[::1]:1/db, w1, 2, jdbc:postgresql://w1:2/db",
        "jdbc:postgresql:db, w1, 2, jdbc:postgresql://w1:2/db"
    })
    void keepsTheOtherPartsForAnotherServer(String url, String host, int port, String expected) {
        assertThat(new Endpoint(url, 7).at(host, port)).isEqualTo(new Endpoint(expected, 0));
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://%2Frun%2Fpg:5433/db?user=u, /run/pg/.s.PGSQL.5433, jdbc:postgresql://localhost:5433/db?user=u",
        "jdbc:postgresql://%2frun%2fmy+dir/db, /run/my+dir/.s.PGSQL.5432, jdbc:postgresql://localhost:5432/db",
        "jdbc:postgresql:///db?host=/run/pg&port=6432&user=u, /run/pg/.s.PGSQL.6432, jdbc:postgresql://localhost:6432/db?user=u",
        "jdbc:postgresql:///db?user=u&host=%2Frun%2Fpg, /run/pg/.s.PGSQL.5432, jdbc:postgresql://localhost:5432/db?user=u",
        "jdbc:postgresql://h:1/db, '', jdbc:postgresql://h:1/db"
    })
    void directoryIsThatOfAUnixSocket(String url, String file, String driverUrl) {
        Endpoint endpoint = Endpoint.parse(url);
        assertThat(endpoint.socketFile()).isEqualTo(file);
        assertThat(endpoint.driverUrl()).isEqualTo(driverUrl);
        assertThat(endpoint.isLocal()).isEqualTo(!file.isEmpty());
        assertThat(Endpoint.parse(endpoint.url())).isEqualTo(endpoint);
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://%2Frun/db?sslmode=verify-full, TLS is not used over a Unix socket: leave out ssl and sslmode",
        "'jdbc:postgresql://%2Frun,h/db', a Unix socket cannot be one of several hosts of a URL: repeat --url",
        "jdbc:postgresql://h/db?host=/run, host= must be the directory of a Unix socket",
        "jdbc:postgresql:///db?host=h, host= must be the directory of a Unix socket"
    })
    void refusesWhatAUnixSocketCannotBe(String url, String message) {
        assertThatThrownBy(() -> Endpoint.parse(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void refusesNamesOfUnixSocketsThatAreTooLong() {
        assertThat(Endpoint.parse("jdbc:postgresql://%2F" + "x".repeat(92) + "/db")
                        .socketFile())
                .hasSize(107);
        assertThatThrownBy(() -> Endpoint.parse("jdbc:postgresql://%2F" + "x".repeat(93) + "/db"))
                .hasMessageContaining("at most 107 bytes")
                .hasMessageContaining("has 108");
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://h/db?password=x&user=u, jdbc:postgresql://h/db?user=u",
        "jdbc:postgresql://h/db?user=u&password=x, jdbc:postgresql://h/db?user=u",
        "jdbc:postgresql://h/db?user=u&sslpassword=x&ssl=true, jdbc:postgresql://h/db?user=u&ssl=true",
        "jdbc:postgresql://me:x@h/db, jdbc:postgresql://h/db"
    })
    void removesSecrets(String url, String expected) {
        assertThat(new Endpoint(url, 0).withoutSecrets()).isEqualTo(expected);
    }

    @Test
    void clientsOfTheServersAreTheirWeights() {
        RunSpec spec =
                Runs.spec("--url jdbc:postgresql://a/db,clients=48 --url jdbc:postgresql://b/db,clients=96 -t t");

        assertThat(spec.load().clients()).isEqualTo(144);
        assertThat(spec.get(RunLoadOptions.CLIENTS)).hasValue(144);
    }

    @Test
    void clientsPerServerRepeatTheLastNumber() {
        RunSpec spec = Runs.spec(
                "--url jdbc:postgresql://a/db --url jdbc:postgresql://b/db --url jdbc:postgresql://c/db",
                "--clients-per-server 96,48 -t t");

        assertThat(spec.endpoints()).extracting(Endpoint::clients).containsExactly(96, 48, 48);
        assertThat(spec.load().clients()).isEqualTo(192);
        assertThat(Runs.spec("--hosts a,b --clients-per-server 3 -t t").load().clients())
                .isEqualTo(6);
    }

    @Test
    void hostsReplaceTheUrls() {
        RunSpec spec = Runs.spec("--url jdbc:postgresql://x/db?user=u --hosts 'a:1, b,/run/pg:5433' -t t");
        assertThat(spec.endpoints())
                .containsExactly(
                        new Endpoint("jdbc:postgresql://a:1/db?user=u", 0),
                        new Endpoint("jdbc:postgresql://b:5432/db?user=u", 0),
                        new Endpoint("jdbc:postgresql://%2Frun%2Fpg:5433/db?user=u", 0));
    }
}
