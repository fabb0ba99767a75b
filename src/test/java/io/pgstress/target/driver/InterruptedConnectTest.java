package io.pgstress.target.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.pgstress.plan.Endpoint;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class InterruptedConnectTest {
    @Test
    void interruptWhileAServerIsSilentIsNoFailureOfTheDriver() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            EndpointDriver driver = new EndpointDriver(
                    Endpoint.parse("jdbc:postgresql://127.0.0.1:" + silent.getLocalPort() + "/db?user=u"),
                    new Properties(),
                    null);
            Thread.currentThread().interrupt();

            Throwable e = catchThrowable(() -> driver.open(new Properties(), 10, 0));

            assertThat(Thread.interrupted()).isTrue();
            assertThat(e).hasMessage("interrupted while connecting").hasCauseInstanceOf(InterruptedException.class);
        }
    }
}
