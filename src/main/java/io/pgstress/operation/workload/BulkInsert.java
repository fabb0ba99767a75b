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
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Group;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.target.statement.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;

/**
 * {@code bulk_insert}, {@code bulk_copy}, {@code bulk_batch}: many rows per statement into tables created for it, with one
 * multi-row INSERT, one COPY, or one batch of the driver. Each client writes to one table only.
 */
public final class BulkInsert implements Operation {
    /** Who makes the values of a row. */
    enum Values {
        /** The client sends them. */
        CLIENT,
        /** The client sends an id; the column's default is the rest. */
        SERVER
    }

    static final Option<Values> VALUES_BY = Option.of("row-values", "WHO", Forms.choice(Values.class))
            .byDefault("client")
            .help(
                    Group.WORKLOAD,
                    "Who makes the rows' values: the client, or the server, by default values beside an id that the client"
                            + " sends.");

    private final Options options;
    public static final OperationType TYPE = type(BulkWay.VALUES, "inserts --rows rows with one statement");
    public static final OperationType COPY = type(BulkWay.COPY, "inserts --rows rows with one COPY");
    public static final OperationType BATCH = type(BulkWay.BATCH, "inserts --rows rows with a batch of the driver");

    private final BulkWay way;
    private final BulkTables tables;
    private final WriteTallies tallies;
    private final Round round;
    private final BetweenRounds between;

    private BulkInsert(BulkWay way, OperationType.Context context) {
        this.way = way;
        this.options = context.options();
        this.tables = new BulkTables(way, context);
        this.tallies = new WriteTallies(context.get(RunOptions.TRANSACTION));
        this.between = new BetweenRounds(context);
        this.round = new Round(options.get(RunOptions.ROUND_TIME));
    }

    private static OperationType type(BulkWay way, String summary) {
        return OperationType.of(way.operation(), summary, context -> new BulkInsert(way, context))
                .selfContained(way.table(1))
                .with(Trait.ONE_HOST)
                .with(WorkloadOptions.withCreation(
                        WorkloadOptions.ROWS,
                        WorkloadOptions.ROW_BYTES,
                        VALUES_BY,
                        WorkloadOptions.TABLES,
                        WorkloadOptions.INDEXES,
                        RunOptions.ROUND_TIME,
                        RunOptions.ROUNDS,
                        BetweenRounds.ROUND_PAUSE,
                        BetweenRounds.CHECKPOINT,
                        RunOptions.NO_RESET));
    }

    private boolean isByServer() {
        return options.get(VALUES_BY) == Values.SERVER;
    }

    @Override
    public List<Sql> statements(int client) {
        String into = tables.ofClient(client) + (isByServer() ? " (id)" : " (id, filler)");
        String row = isByServer() ? "(?)" : "(?, ?)";
        return List.of(
                switch (way) {
                    case COPY -> new Sql("copy", "copy " + into + " from stdin");
                    case BATCH -> new Sql("batch", "insert into " + into + " values " + row);
                    case VALUES ->
                        new Sql(
                                "insert",
                                "insert into " + into + " values "
                                        + String.join(
                                                ", ", Collections.nCopies(options.get(WorkloadOptions.ROWS), row)));
                });
    }

    @Override
    public OperationProfile profile() {
        return OperationProfile.DEFAULT
                .claiming(way.table(1))
                .when(round.hasEnd() ? WhenUsedUp.REPLENISH : WhenUsedUp.RESET)
                .withRowBytes(options.get(WorkloadOptions.ROW_BYTES))
                .requestingCheckpoints(options.get(BetweenRounds.CHECKPOINT));
    }

    /** The tables are recreated before a run, because their options may have changed. */
    @Override
    public void setUp(Connection control) throws SQLException {
        between.checkRights(control);
        tables.create(control, isByServer());
    }

    @Override
    public void resetTables(Connection control) throws SQLException {
        tables.empty(control);
        between.pause(control);
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
        String since = round.hasEnd() ? " since the tables were emptied" : "";
        return List.of(tallies.compare(
                "rows of " + way.operation() + since + ", count(*)",
                tables.count(control),
                options.get(WorkloadOptions.ROWS)));
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
        return new BulkClient(way, isByServer(), rows, seat.statement(0), tallies.forClient(), round);
    }
}
