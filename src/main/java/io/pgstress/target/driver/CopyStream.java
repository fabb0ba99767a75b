package io.pgstress.target.driver;

import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/** A {@code COPY ... FROM STDIN} under way. Belongs to one thread. */
public final class CopyStream {
    private final CopyIn copy;

    private CopyStream(CopyIn copy) {
        this.copy = copy;
    }

    /** Starts the statement. */
    public static CopyStream open(Connection connection, String sql) throws SQLException {
        return new CopyStream(connection.unwrap(PGConnection.class).getCopyAPI().copyIn(sql));
    }

    /** Sends bytes; where the server refuses them is told at the end. */
    public void write(byte[] bytes, int offset, int length) throws SQLException {
        copy.writeToCopy(bytes, offset, length);
    }

    /** Ends it and returns the rows that the server took. */
    public long end() throws SQLException {
        return copy.endCopy();
    }

    /** Gives it up: nothing of it remains. */
    public void cancel() {
        if (copy.isActive()) {
            try {
                copy.cancelCopy();
            } catch (SQLException e) {
                // the server answers a cancelled COPY with an error: that is what was wanted
            }
        }
    }
}
