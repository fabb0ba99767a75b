package io.pgstress.operation.oltp;

import io.pgstress.dataset.SplitMix;
import io.pgstress.operation.Ending;
import io.pgstress.operation.Operation;
import io.pgstress.operation.TalliedClient;
import io.pgstress.operation.WriteTally;
import io.pgstress.operation.workload.Digits;
import io.pgstress.target.statement.SqlStatement;
import java.sql.SQLException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One client of {@link OltpInsert}. Not thread-safe. */
final class InsertClient extends TalliedClient {
    /** Range of k, sysbench's default number of rows per table. */
    private static final int MAX_K = 10_000;

    private final SqlStatement[] inserts;
    private final Supplier<NewIds> newIds;
    private final Predicate<SQLException> isDuplicate;
    private final SplitMix random;
    private final Digits c;
    private final Digits pad;
    private final int client;
    private final int clients;
    private long turn;
    private long id;
    private boolean isLong;
    private int k;
    private @Nullable String cText;
    private @Nullable String padText;
    private SqlStatement insert;

    InsertClient(
            Operation.ClientSeat seat,
            SqlStatement[] inserts,
            WriteTally tally,
            Supplier<NewIds> newIds,
            Predicate<SQLException> isDuplicate) {
        super(tally);
        this.newIds = newIds;
        this.isDuplicate = isDuplicate;
        this.inserts = inserts;
        this.insert = inserts[0];
        this.random = seat.random();
        this.c = new Digits(random, 10);
        this.pad = new Digits(random, 5);
        this.client = seat.client();
        this.clients = seat.clients();
    }

    @Override
    public boolean draw() {
        NewIds ids = newIds.get();
        isLong = ids.isLong();
        id = ids.id(client, clients, turn++);
        if (id == NewIds.NONE) {
            return false;
        }
        k = random.below(MAX_K) + 1;
        cText = c.next();
        padText = pad.next();
        insert = inserts.length == 1 ? inserts[0] : inserts[random.below(inserts.length)];
        return true;
    }

    @Override
    public Ending execute() throws SQLException {
        try {
            return sendNoted() == 0 ? Ending.MISS : Ending.OK;
        } catch (SQLException e) {
            if (isDuplicate.test(e)) {
                return Ending.DUPLICATE;
            }
            throw e;
        }
    }

    @Override
    protected long send() throws SQLException {
        if (isLong) {
            insert.setLong(1, id);
        } else {
            insert.setInt(1, (int) id);
        }
        insert.setInt(2, k);
        insert.setUntyped(3, cText);
        insert.setUntyped(4, padText);
        return insert.update();
    }

    @Override
    protected long size() {
        return 1;
    }

    @Override
    public long rows() {
        return 1;
    }
}
