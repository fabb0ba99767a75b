package io.pgstress.target.pool;

import io.pgstress.plan.PoolSpec;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.SessionPurpose;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** The connection pools, one line each. */
public final class Pools {
    /** Creates a pool with this number of connections. */
    @FunctionalInterface
    interface Factory {
        ConnectionPool open(Connector connector, int size) throws SQLException;
    }

    private record Entry(String name, Factory factory) {}

    private static final List<Entry> ALL = List.of(
            new Entry("none", (connector, size) -> new NoPool(connector, connector, true)),
            new Entry("hikari", HikariPool::new),
            new Entry("c3p0", C3p0Pool::new));

    private Pools() {}

    public static List<String> names() {
        return ALL.stream().map(Entry::name).toList();
    }

    /** Opens a pool; a size of 0 becomes the number of clients. */
    public static ConnectionPool open(PoolSpec spec, int clients, Connector connector) throws SQLException {
        if (spec.perTransaction()) {
            return new NoPool(connector, connector.countingSessions(null), false);
        }
        for (Entry entry : ALL) {
            if (entry.name.equals(spec.kind())) {
                return entry.factory.open(connector, spec.size() == 0 ? clients : spec.size());
            }
        }
        throw new IllegalArgumentException("no such pool: " + spec.kind());
    }

    /**
     * No pool. Either each client opens a connection and keeps it, or no session is used twice: borrowing opens one, and closing
     * it ends it, as {@code pgbench -C}.
     *
     * @param lent opens what is lent; it counts no sessions that are not kept, because a query per operation would be part of it
     */
    private record NoPool(Connector connector, Connector lent, boolean isKept) implements ConnectionPool {
        @Override
        public Connection borrow() throws SQLException {
            return lent.open(SessionPurpose.LOAD);
        }

        @Override
        public boolean isReused() {
            return isKept;
        }

        /** Opens and closes one session if none is kept, so that a wrong setting is reported before the load and once. */
        @Override
        public void fill() throws SQLException {
            if (!isKept) {
                connector.open(SessionPurpose.LOAD).close();
            }
        }

        @Override
        public Map<String, String> settings() {
            return Map.of();
        }

        @Override
        public Map<String, Number> gauges() {
            return Map.of();
        }

        @Override
        public void close() {}
    }
}
