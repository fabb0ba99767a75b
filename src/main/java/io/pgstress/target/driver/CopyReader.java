package io.pgstress.target.driver;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyOut;

/** A running {@code COPY ... TO STDOUT}. Belongs to one thread. */
public final class CopyReader implements AutoCloseable {
    private final CopyOut copy;

    private CopyReader(CopyOut copy) {
        this.copy = copy;
    }

    /** Starts the statement. */
    public static CopyReader open(Connection connection, String sql) throws SQLException {
        return new CopyReader(connection.unwrap(PGConnection.class).getCopyAPI().copyOut(sql));
    }

    /** The server's next message, which holds one row; null at the end. */
    public byte @Nullable [] next() throws SQLException {
        return copy.readFromCopy();
    }

    /** Ends it, even before its end. */
    @Override
    public void close() {
        if (copy.isActive()) {
            try {
                copy.cancelCopy();
            } catch (SQLException e) {
                // the server answers a cancelled COPY with an error, as expected
            }
        }
    }
}
