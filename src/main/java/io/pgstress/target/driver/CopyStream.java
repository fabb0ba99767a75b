package io.pgstress.target.driver;

import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/** A running {@code COPY ... FROM STDIN}. Belongs to one thread. */
public final class CopyStream {
    private final CopyIn copy;

    private CopyStream(CopyIn copy) {
        this.copy = copy;
    }

    /** Starts the statement. */
    public static CopyStream open(Connection connection, String sql) throws SQLException {
        return new CopyStream(connection.unwrap(PGConnection.class).getCopyAPI().copyIn(sql));
    }

    /** Sends bytes; {@link #end} reports an error of the server. */
    public void write(byte[] bytes, int offset, int length) throws SQLException {
        copy.writeToCopy(bytes, offset, length);
    }

    /** Ends it and returns the number of rows that the server accepted. */
    public long end() throws SQLException {
        return copy.endCopy();
    }

    /** Cancels it, leaving no rows. */
    public void cancel() {
        if (copy.isActive()) {
            try {
                copy.cancelCopy();
            } catch (SQLException e) {
                // the server answers a cancelled COPY with an error, as expected
            }
        }
    }
}
