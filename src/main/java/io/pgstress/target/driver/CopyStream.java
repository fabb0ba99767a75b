package io.pgstress.target.driver;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyOperation;
import org.postgresql.copy.CopyOut;

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
        cancel(copy);
    }

    private static void cancel(CopyOperation running) {
        if (running.isActive()) {
            try {
                running.cancelCopy();
            } catch (SQLException e) {
                // the server answers a cancelled COPY with an error, as expected
            }
        }
    }

    /** A running {@code COPY ... TO STDOUT}. Belongs to one thread. */
    public static final class CopyReader implements AutoCloseable {
        private final CopyOut copy;

        private CopyReader(CopyOut copy) {
            this.copy = copy;
        }

        /** Starts the statement. */
        public static CopyReader open(Connection connection, String sql) throws SQLException {
            return new CopyReader(
                    connection.unwrap(PGConnection.class).getCopyAPI().copyOut(sql));
        }

        /** The server's next message, which holds one row; null at the end. */
        public byte @Nullable [] next() throws SQLException {
            return copy.readFromCopy();
        }

        /** Ends it, even before its end. */
        @Override
        public void close() {
            CopyStream.cancel(copy);
        }
    }
}
