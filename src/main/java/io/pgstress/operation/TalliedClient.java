package io.pgstress.operation;

import java.sql.SQLException;

/** A client that notes what it has brought into the tables, to be held against them afterwards. Not thread-safe. */
public abstract class TalliedClient implements ClientOperation {
    private final WriteTally tally;

    protected TalliedClient(WriteTally tally) {
        this.tally = tally;
    }

    /** Sends something that is in as a whole or not at all; how much the server says is in. */
    protected abstract long send() throws SQLException;

    /** How much is sent at a time, so that less means that the server discarded some. */
    protected abstract long size();

    /** Sends, and notes what the server says is in. */
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

    /** Notes that a statement failed. */
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
