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
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
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

    /** A pool that does not fill is given up, but its sessions would stay on the server. */
    @Test
    void connectionsOfAPoolThatDoesNotFillAreReturned() {
        List<String> returned = new ArrayList<>();
        DataSource full = source(3, returned);
        assertThatThrownBy(() -> ConnectionPool.fill(full, 5)).hasMessage("too many clients");
        assertThat(returned).containsExactlyInAnyOrder("1", "2", "3");
    }

    @Test
    void fillBorrowsAllAtOnce() throws SQLException {
        List<String> returned = new ArrayList<>();
        ConnectionPool.fill(source(5, returned), 5);
        assertThat(returned).containsExactlyInAnyOrder("1", "2", "3", "4", "5");
    }

    /** Lends so many connections at a time, and notes those that are returned. */
    private static DataSource source(int most, List<String> returned) {
        AtomicInteger lent = new AtomicInteger();
        return proxy(DataSource.class, () -> {
            String number = String.valueOf(lent.incrementAndGet());
            if (lent.get() - returned.size() > most) {
                throw new SQLException("too many clients");
            }
            return proxy(Connection.class, () -> {
                returned.add(number);
                return null;
            });
        });
    }

    /** Something of which one method is called. */
    private static <T> T proxy(Class<T> kind, Callable<?> method) {
        return kind.cast(Proxy.newProxyInstance(
                PoolsTest.class.getClassLoader(), new Class<?>[] {kind}, (proxy, called, arguments) -> method.call()));
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
