package io.pgstress.operation;

import io.pgstress.operation.WriteTallies.WriteTally;
import java.sql.SQLException;

/** A client that records its acknowledged writes for the check after the run. Not thread-safe. */
public abstract class TalliedClient implements ClientOperation {
    private final WriteTally tally;
    private final int size;

    /** @param size rows per operation, if it is known: a lower count from the server means that it discarded rows; 0: unknown */
    protected TalliedClient(WriteTally tally, int size) {
        this.tally = tally;
        this.size = size;
    }

    /** Sends one unit, which is applied as a whole or not at all, and returns the row count reported by the server. */
    protected abstract long send() throws SQLException;

    @Override
    public Ending execute() throws SQLException {
        return sendNoted(size) < size ? Ending.MISS : Ending.OK;
    }

    /**
     * Sends one unit and records the row count reported by the server.
     *
     * @param due the number of rows of the unit, at least
     */
    protected final long sendNoted(int due) throws SQLException {
        tally.sent();
        try {
            long in = send();
            tally.acknowledged(in, in == 0 ? 0 : ids(in));
            if (in < due) {
                tally.discarded(due - in);
            }
            return in;
        } catch (SQLException e) {
            failed(e);
            throw e;
        }
    }

    /** The sum of the ids of the rows of a unit, of which there is at least one; 0 if ids are not compared. */
    protected long ids(long rows) {
        return 0;
    }

    /** Records a failed statement. */
    protected final void failed(SQLException e) {
        WriteTallies.failed(tally, e);
    }

    protected final boolean isInTransaction() {
        return tally.isInTransaction();
    }

    @Override
    public void committed() {
        tally.committed();
    }

    @Override
    public void notCommitted(SQLException e) {
        WriteTallies.notCommitted(tally, e);
    }

    @Override
    public long rows() {
        return size;
    }
}
