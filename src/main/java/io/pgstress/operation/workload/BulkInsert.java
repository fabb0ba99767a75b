package io.pgstress.operation.workload;

import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.Operation;
import io.pgstress.operation.OperationProfile;
import io.pgstress.operation.OperationProfile.WhenUsedUp;
import io.pgstress.operation.OperationType;
import io.pgstress.operation.OperationType.Trait;
import io.pgstress.operation.PostRunCheck;
import io.pgstress.operation.TableCheck;
import io.pgstress.operation.WriteTallies;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.option.Options;
import io.pgstress.target.statement.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.StringJoiner;

/**
 * {@code bulk_insert}, {@code bulk_copy}, {@code bulk_batch}: many rows per statement into tables created for it, with one
 * multi-row INSERT, one COPY, or one batch of the driver. Each client writes to one table only.
 */
public final class BulkInsert implements Operation {
    public static final OperationType TYPE = type(BulkWay.VALUES, "inserts --rows rows with one statement");
    public static final OperationType COPY = type(BulkWay.COPY, "inserts --rows rows with one COPY");
    public static final OperationType BATCH = type(BulkWay.BATCH, "inserts --rows rows with a batch of the driver");

    private final OperationType.Context context;
    private final Options options;
    private final BulkWay way;
    private final WriteTallies tallies;
    private final Round round;

    private BulkInsert(BulkWay way, OperationType.Context context) {
        this.way = way;
        this.context = context;
        this.options = context.options();
        this.tallies = new WriteTallies(context.get(RunOptions.TRANSACTION));
        this.round = new Round(options.get(RunOptions.ROUND_TIME));
    }

    private static OperationType type(BulkWay way, String summary) {
        return OperationType.of(way.operation(), summary, context -> new BulkInsert(way, context))
                .selfContained(way.table(1))
                .with(Trait.ONE_HOST)
                .with(WorkloadOptions.withCreation(
                        WorkloadOptions.ROWS,
                        WorkloadOptions.ROW_BYTES,
                        WorkloadOptions.TABLES,
                        WorkloadOptions.INDEXES,
                        RunOptions.ROUND_TIME,
                        RunOptions.ROUNDS,
                        RunOptions.NO_RESET));
    }

    @Override
    public List<Sql> statements(int client) {
        String into = way.table(client % options.get(WorkloadOptions.TABLES) + 1) + " (id, filler)";
        return List.of(
                switch (way) {
                    case COPY -> new Sql("copy", "copy " + into + " from stdin");
                    case BATCH -> new Sql("batch", "insert into " + into + " values (?, ?)");
                    case VALUES ->
                        new Sql(
                                "insert",
                                "insert into " + into + " values "
                                        + String.join(
                                                ", ",
                                                Collections.nCopies(options.get(WorkloadOptions.ROWS), "(?, ?)")));
                });
    }

    @Override
    public OperationProfile profile() {
        return OperationProfile.DEFAULT
                .claiming(way.table(1))
                .when(round.hasEnd() ? WhenUsedUp.REPLENISH : WhenUsedUp.RESET)
                .withRowBytes(options.get(WorkloadOptions.ROW_BYTES));
    }

    /** The tables are recreated before a run, because their options may have changed. */
    @Override
    public void setUp(Connection control) throws SQLException {
        OwnTables own = new OwnTables(control, context);
        String key = options.get(WorkloadOptions.INDEXES) == WorkloadOptions.Indexes.NONE ? "" : " primary key";
        for (int t = 1; t <= options.get(WorkloadOptions.TABLES); t++) {
            own.drop(way.table(t));
            boolean isNew = own.create(
                    way.table(t),
                    "id bigint not null" + key
                            + ", filler text not null, at timestamp not null default current_timestamp",
                    "id",
                    t);
            if (isNew && options.get(WorkloadOptions.INDEXES) == WorkloadOptions.Indexes.ALL) {
                own.execute("create index " + way.table(t) + "_at_idx on " + way.table(t) + " (at)");
            }
        }
    }

    @Override
    public void resetTables(Connection control) throws SQLException {
        StringJoiner all = new StringJoiner(", ");
        for (int t = 1; t <= options.get(WorkloadOptions.TABLES); t++) {
            all.add(way.table(t));
        }
        new OwnTables(control, context).execute("truncate " + all);
    }

    @Override
    public void rewind() {
        tallies.reset();
        round.again(); // draws that were only explained started none
    }

    @Override
    public List<TableCheck> checks() {
        return TableCheck.of(this::check, tallies);
    }

    private List<PostRunCheck> check(Connection control) throws SQLException {
        OwnTables own = new OwnTables(control, context);
        long there = 0;
        for (int t = 1; t <= options.get(WorkloadOptions.TABLES); t++) {
            there += own.number("select count(*) from " + way.table(t));
        }
        String since = round.hasEnd() ? " since the tables were emptied" : "";
        return List.of(tallies.compare(
                "rows of " + way.operation() + since + ", count(*)", there, options.get(WorkloadOptions.ROWS)));
    }

    @Override
    public ClientOperation forClient(ClientSeat seat) {
        BulkRows rows = new BulkRows(
                options.get(WorkloadOptions.ROWS),
                options.get(WorkloadOptions.ROW_BYTES),
                seat.seed(),
                seat.client(),
                seat.clients(),
                seat.client());
        return new BulkClient(way, rows, seat.statement(0), tallies.forClient(), round);
    }
}
