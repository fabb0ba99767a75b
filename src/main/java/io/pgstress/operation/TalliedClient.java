package io.pgstress.operation;

import io.pgstress.operation.WriteTallies.WriteTally;
import java.sql.SQLException;

/** A client that records its acknowledged writes for the check after the run. Not thread-safe. */
public abstract class TalliedClient implements ClientOperation {
    private final WriteTally tally;

    protected TalliedClient(WriteTally tally) {
        this.tally = tally;
    }

    /** Sends one unit, which is applied as a whole or not at all, and returns the row count reported by the server. */
    protected abstract long send() throws SQLException;

    /** The number of rows per unit; a lower count from the server means that it discarded rows. */
    protected abstract long size();

    /** Sends one unit and records the row count reported by the server. */
    protected final long sendNoted() throws SQLException {
        tally.sent();
        try {
            long in = send();
            tally.acknowledged(in);
            if (in < size()) {
                tally.discarded(size() - in);
            }
            return in;
        } catch (SQLException e) {
            failed(e);
            throw e;
        }
    }

    /** Records a failed statement. */
    protected final void failed(SQLException e) {
        WriteTallies.failed(tally, e);
    }

    protected final boolean isInTransaction() {
        return tally.isInTransaction();
    }

    @Override
    public final void committed() {
        tally.committed();
    }

    @Override
    public void notCommitted(SQLException e) {
        WriteTallies.notCommitted(tally, e);
    }
}
