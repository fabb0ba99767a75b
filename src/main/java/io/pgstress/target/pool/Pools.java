package io.pgstress.target.pool;

import io.pgstress.plan.PoolSpec;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.pool.NoPool.NewSessions;
import java.sql.SQLException;
import java.util.List;

/** The connection pools, one line each. */
public final class Pools {
    /** Creates a pool with this number of connections. */
    @FunctionalInterface
    interface Factory {
        ConnectionPool open(Connector connector, int size) throws SQLException;
    }

    private record Entry(String name, Factory factory) {}

    private static final List<Entry> ALL = List.of(
            new Entry("none", (connector, size) -> new NoPool(connector)),
            new Entry("hikari", HikariPool::new),
            new Entry("c3p0", C3p0Pool::new));

    private Pools() {}

    public static List<String> names() {
        return ALL.stream().map(Entry::name).toList();
    }

    /** Opens a pool; a size of 0 becomes the number of clients. */
    public static ConnectionPool open(PoolSpec spec, int clients, Connector connector) throws SQLException {
        if (spec.perTransaction()) {
            return new NewSessions(connector);
        }
        for (Entry entry : ALL) {
            if (entry.name.equals(spec.kind())) {
                return entry.factory.open(connector, spec.size() == 0 ? clients : spec.size());
            }
        }
        throw new IllegalArgumentException("no such pool: " + spec.kind());
    }
}
