package io.pgstress.target.dialect;

import io.pgstress.target.dialect.Tables.TableOptions;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The differences between kinds of servers, by concern. To add a kind, write a class that overrides what differs from
 * the defaults, and add a line to {@link Dialects}. Stateless and thread-safe.
 */
public interface Dialect extends Topology, Transactions, Sessions {
    /** The name for {@code --target} and in results. */
    String name();

    /** Whether the server is of this kind. */
    boolean recognises(Connection connection) throws SQLException;

    /** How tables are created, and how their size is determined. */
    default Tables tables() {
        return Tables.LOCAL;
    }

    /** How the server shows the nodes and shards of a statement. */
    default Plans plans() {
        return Plans.LOCAL;
    }

    /**
     * A copy that creates tables with these options.
     *
     * @throws IllegalArgumentException if tables of this kind of server have no such options
     */
    default Dialect with(TableOptions options) {
        if (options.equals(TableOptions.DEFAULT)) {
            return this;
        }
        throw new IllegalArgumentException("tables of this server have no such options (it is " + name()
                + "): leave out --shards, --replication-factor and --with");
    }
}
