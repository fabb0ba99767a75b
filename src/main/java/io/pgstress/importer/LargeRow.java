package io.pgstress.importer;

import io.pgstress.bson.ByteSink;
import io.pgstress.importer.verify.RowHash;
import io.pgstress.target.driver.CopyStream;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Sends and hashes the row of a large document in pieces, so that it is never held in memory as a whole. */
final class LargeRow {
    /** Carries a server error through the converter. */
    private static final class Unsent extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient SQLException why;

        Unsent(SQLException why) {
            super(why);
            this.why = why;
        }
    }

    private final @Nullable CopyStream copy;
    private final @Nullable RowHash hash;
    private long waitNanos;

    /**
     * @param copy null if the row is only hashed
     * @param hash the hash, which already covers the row's head; null if not needed
     */
    LargeRow(@Nullable CopyStream copy, @Nullable RowHash hash) {
        this.copy = copy;
        this.hash = hash;
    }

    /** Sends the head in the sink and then the document, and empties the sink; returns the row's hash, or 0 without one. */
    long send(RowEncoder encoder, ByteSink sink) throws SQLException {
        try {
            write(sink.array(), sink.length());
            sink.clear();
            sink.spillTo(this::piece);
            encoder.body(sink);
            write(sink.array(), sink.length());
            return hash == null ? 0 : hash.end(sink.array(), sink.length());
        } catch (Unsent e) {
            throw e.why;
        } finally {
            sink.spillTo(null);
            sink.clear();
        }
    }

    private void piece(byte[] bytes, int count) {
        if (hash != null) {
            hash.more(bytes, count);
        }
        try {
            write(bytes, count);
        } catch (SQLException e) {
            throw new Unsent(e);
        }
    }

    private void write(byte[] bytes, int count) throws SQLException {
        if (copy != null) {
            long start = System.nanoTime();
            copy.write(bytes, 0, count);
            waitNanos += System.nanoTime() - start;
        }
    }

    /** Nanoseconds spent waiting for the server. */
    long waitNanos() {
        return waitNanos;
    }
}
