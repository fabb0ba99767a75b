package io.pgstress.target.dialect;

import java.sql.Connection;
import java.sql.SQLException;

/** A kind of cluster, whose servers list its nodes. */
abstract class ClusterDialect implements Dialect, Topology, Transactions {
    private final String name;
    private final String sign;
    private final Tables tables;
    private final Plans plans;

    /** @param sign a query of the catalog that is true on servers of this kind */
    ClusterDialect(String name, String sign, Tables tables, Plans plans) {
        this.name = name;
        this.sign = sign;
        this.tables = tables;
        this.plans = plans;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final boolean recognises(Connection connection) throws SQLException {
        return CatalogQueries.holds(connection, sign);
    }

    @Override
    public final Tables tables() {
        return tables;
    }

    @Override
    public final Plans plans() {
        return plans;
    }

    @Override
    public final Topology topology() {
        return this;
    }

    @Override
    public final Transactions transactions() {
        return this;
    }
}
