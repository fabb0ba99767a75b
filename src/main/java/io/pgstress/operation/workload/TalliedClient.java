package io.pgstress.operation.workload;

import io.pgstress.operation.ClientOperation;
import java.sql.SQLException;

/** A client that notes what it has brought into the tables, to be held against them afterwards. Not thread-safe. */
abstract class TalliedClient implements ClientOperation {
    private final Tally tally;

    TalliedClient(Tally tally) {
        this.tally = tally;
    }

    /** Sends something that is in as a whole or not at all; how much the server says is in. */
    abstract long send() throws SQLException;

    /** The same, noted. */
    final long sendNoted() throws SQLException {
        tally.sent();
        try {
            long in = send();
            tally.acknowledged(in);
            return in;
        } catch (SQLException e) {
            failed(e);
            throw e;
        }
    }

    /** Notes that a statement failed. */
    final void failed(SQLException e) {
        Tallies.failed(tally, e);
    }

    final boolean isInTransaction() {
        return tally.isInTransaction();
    }

    @Override
    public final void committed() {
        tally.committed();
    }

    @Override
    public void notCommitted(SQLException e) {
        Tallies.notCommitted(tally, e);
    }
}
