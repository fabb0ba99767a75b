package io.pgstress.target.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.plan.PoolSpec;
import io.pgstress.testing.Implementations;
import io.pgstress.testing.TestServer;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PoolsTest {
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
