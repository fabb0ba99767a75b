package io.pgstress.target.driver;

import java.sql.SQLException;

/** An error that a server returned for a query of its catalog, with the query. The session continues. */
public final class RefusedQuery extends SQLException {
    private static final long serialVersionUID = 1;

    /** @param cause what the server returned */
    public RefusedQuery(String sql, SQLException cause) {
        super(
                ServerErrors.sampleOf(cause) + "; the query was: "
                        + sql.replaceAll("\\s+", " ").trim(),
                cause.getSQLState(),
                cause);
    }
}
