package io.pgstress.operation.check;

import io.pgstress.operation.PostRunCheck;
import io.pgstress.target.dialect.Transactions;
import io.pgstress.target.dialect.Transactions.PreparedTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Transactions that the servers of a cluster prepared during a run and did not finish: they still hold locks.
 * Transactions prepared before the run are not reported. Belongs to one thread at a time.
 */
final class LeftBehind {
    private final Transactions transactions;
    private final Set<PreparedTransaction> before = new HashSet<>();

    LeftBehind(Transactions transactions) {
        this.transactions = transactions;
    }

    /** Called before the load. */
    void begin(Connection control) throws SQLException {
        before.addAll(ofServers(control));
    }

    /** Called after the load; empty if no prepared transaction remained. */
    List<PostRunCheck> finish(Connection control) throws SQLException {
        List<PreparedTransaction> left =
                ofServers(control).stream().filter(t -> !before.contains(t)).toList();
        return left.isEmpty()
                ? List.of()
                : List.of(new PostRunCheck(false, PreparedTransaction.words(left, transactions.endOfPrepared())));
    }

    private List<PreparedTransaction> ofServers(Connection control) throws SQLException {
        return transactions.prepared(control).stream()
                .filter(transactions::isOfServers)
                .toList();
    }
}
