package io.pgstress.target.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.plan.Endpoint;
import io.pgstress.plan.PoolSpec;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.Login;
import io.pgstress.testing.EveryJdk;
import io.pgstress.testing.Implementations;
import io.pgstress.testing.TestServer;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

@EveryJdk
final class PoolsTest {
    @Test
    void saysAtOnceWhyItCannotConnect() throws SQLException {
        Connector nowhere = new Connector(new Endpoint("jdbc:postgresql://127.0.0.1:1/x?user=u", 0), Login.of(""));
        try (ConnectionPool pool = Pools.open(new PoolSpec("c3p0", 2), 2, nowhere)) {
            assertThatThrownBy(pool::fill)
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("08001"));
        }
    }

    @Test
    void everyPoolIsListed() throws SQLException {
        List<Class<?>> opened = new ArrayList<>();
        for (String name : Pools.names()) {
            try (ConnectionPool pool =
                    Pools.open(new PoolSpec(name, 1), 1, TestServer.connector(TestServer.maintenanceUrl()))) {
                opened.add(pool.getClass());
            }
        }
        assertThat(opened)
                .as("a pool without its line in Pools")
                .containsExactlyInAnyOrderElementsOf(Implementations.of(ConnectionPool.class));
    }
}
