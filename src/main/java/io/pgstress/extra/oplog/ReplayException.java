package io.pgstress.extra.oplog;

import java.io.IOException;
import java.sql.SQLException;

/** Carries an error of the server through the reader of the oplog. */
final class ReplayException extends IOException {
    private static final long serialVersionUID = 1L;

    private final SQLException sql;

    ReplayException(SQLException sql) {
        super(sql);
        this.sql = sql;
    }

    SQLException sql() {
        return sql;
    }
}
