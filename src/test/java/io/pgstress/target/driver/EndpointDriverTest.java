package io.pgstress.target.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.pgstress.plan.Endpoint;
import io.pgstress.target.driver.EndpointDriver.LocalPorts;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.SQLException;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;

/** Failures to connect are explained. */
final class EndpointDriverTest {
    @Test
    void interruptWhileAServerIsSilentIsNoFailureOfTheDriver() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            EndpointDriver driver = new EndpointDriver(
                    Endpoint.parse("jdbc:postgresql://127.0.0.1:" + silent.getLocalPort() + "/db?user=u"),
                    new Properties(),
                    null,
                    PasswordPrompt.NONE);
            Thread.currentThread().interrupt();

            Throwable e = catchThrowable(() -> driver.open(new Properties(), 10, 0));

            assertThat(Thread.interrupted()).isTrue();
            assertThat(e).hasMessage("interrupted while connecting").hasCauseInstanceOf(InterruptedException.class);
        }
    }

    @Test
    void saysThatNoPortIsFreeAndWhatToDo() {
        SQLException failure = failure(new BindException("Cannot assign requested address"));

        Throwable explained = LocalPorts.explained(failure, "jdbc:postgresql://db/app");

        assertThat(explained)
                .hasMessageStartingWith("no local port is free for a connection to jdbc:postgresql://db/app: ")
                .hasMessageContaining("net.ipv4.tcp_tw_reuse")
                .hasCause(failure);
        assertThat(ServerErrors.stateOf((SQLException) explained)).isEqualTo("PORTS");
    }

    @Test
    void leavesOtherFailuresAsTheyAre() {
        SQLException refused = failure(new ConnectException("Connection refused"));
        SQLException forbidden = failure(new BindException("Permission denied"));

        assertThat((Throwable) LocalPorts.explained(refused, "db")).isSameAs(refused);
        assertThat((Throwable) LocalPorts.explained(forbidden, "db")).isSameAs(forbidden);
    }

    private static SQLException failure(Exception cause) {
        return new PSQLException("The connection attempt failed.", PSQLState.CONNECTION_UNABLE_TO_CONNECT, cause);
    }
}
