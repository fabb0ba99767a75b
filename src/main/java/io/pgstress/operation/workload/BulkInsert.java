package io.pgstress.operation.workload;

import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.Operation;
import io.pgstress.operation.OperationProfile;
import io.pgstress.operation.OperationProfile.OperationTrait;
import io.pgstress.operation.OperationProfile.WhenUsedUp;
import io.pgstress.operation.OperationType;
import io.pgstress.operation.TableCheck;
import io.pgstress.operation.TalliedClient;
import io.pgstress.operation.WriteTallies;
import io.pgstress.operation.table.OwnTables;
import io.pgstress.operation.table.WorkloadOptions;
import io.pgstress.operation.workload.BulkRows.Values;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.option.Durations;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Group;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.result.Remark;
import io.pgstress.target.dialect.TableStorage;
import io.pgstress.target.statement.Sql;
import io.pgstress.target.statement.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * {@code bulk_insert}, {@code bulk_copy}, {@code bulk_batch}: many rows per statement into tables created for it, with one
 * multi-row INSERT, one COPY, or one batch of the driver. Each client writes to one table only.
 */
public final class BulkInsert implements Operation {
    static final Option<Values> VALUES_BY = Option.of("row-values", "WHO", Forms.choice(Values.class))
            .byDefault("client")
            .refusedIf(o -> o.get(BulkInsert.VALUES_BY) == Values.NOW
                            && o.get(WorkloadOptions.INDEXES) != WorkloadOptions.Indexes.NONE
                    ? "now makes rows without an id, so they have no index; add --indexes none"
                    : "")
            .help(
                    Group.WORKLOAD,
                    "made by the client, the server, or now",
                    "server: by default values, beside an id that the client sends. now (bulk_insert, bulk_copy): as"
                            + " (now()), without any parameter.");

    private static final int AT_BYTES = 8;

    /** Less than the time after which a run ends because of a long reset. */
    private static final Duration MAX_PAUSE = Duration.ofMinutes(5);

    static final Option<Duration> ROUND_PAUSE = Option.of("round-pause", "TIME", BulkInsert::pause)
            .byDefault("0")
            .refusedIf(o -> o.get(BulkInsert.ROUND_PAUSE).isZero() ? "" : needsRounds(o))
            .help(
                    Group.WORKLOAD,
                    "pause between two rounds",
                    "It comes after the tables are emptied, and is at most 5 min.");

    static final Option<Boolean> CHECKPOINT = Option.flag("checkpoint")
            .refusedIf(o -> o.get(BulkInsert.CHECKPOINT) ? needsRounds(o) : "")
            .help(
                    Group.WORKLOAD,
                    "run CHECKPOINT between two rounds",
                    "On the first server. It needs a superuser or, since PostgreSQL 15, a member of pg_checkpoint.");

    /** Predefined roles are missing on older servers. */
    private static final String MAY_CHECKPOINT = """
        select count(*) from pg_roles u where u.rolname = current_user
        and (u.rolsuper or exists (select from pg_roles r where r.rolname = 'pg_checkpoint'
                                   and pg_has_role(u.oid, r.oid, 'usage')))
        """;

    public static final OperationType TYPE = type(BulkWay.VALUES, "inserts --rows rows with one statement");
    public static final OperationType COPY = type(BulkWay.COPY, "inserts --rows rows with one COPY");
    public static final OperationType BATCH = type(BulkWay.BATCH, "inserts --rows rows with a batch of the driver");

    private final BulkWay way;
    private final OperationType.Context context;
    private final Options options;
    private final int rows;
    private final WriteTallies tallies;
    private final Round round;
    private boolean hasRoundBegun;

    private BulkInsert(BulkWay way, OperationType.Context context) {
        this.way = way;
        this.context = context;
        this.options = context.options();
        this.rows = options.get(WorkloadOptions.ROWS);
        this.tallies = new WriteTallies(context.get(RunOptions.TRANSACTION), rows);
        this.round = new Round(options.get(RunOptions.ROUND_TIME));
    }

    private static OperationType type(BulkWay way, String summary) {
        return OperationType.of(way.operation(), summary, context -> new BulkInsert(way, context))
                .selfContained(way.table(1))
                .with(WorkloadOptions.withCreation(
                        WorkloadOptions.ROWS,
                        WorkloadOptions.ROW_BYTES,
                        VALUES_BY,
                        WorkloadOptions.TABLES,
                        WorkloadOptions.INDEXES,
                        RunOptions.ROUND_TIME,
                        RunOptions.ROUNDS,
                        ROUND_PAUSE,
                        CHECKPOINT,
                        RunOptions.NO_RESET));
    }

    private Values by() {
        return options.get(VALUES_BY);
    }

    @Override
    public List<Sql> statements(int client) {
        String into = way.table(client % options.get(WorkloadOptions.TABLES) + 1)
                + switch (by()) {
                    case CLIENT -> " (id, filler)";
                    case SERVER -> " (id)";
                    case NOW -> " (at)";
                };
        String row = switch (by()) {
            case CLIENT -> "(?, ?)";
            case SERVER -> "(?)";
            case NOW -> "(now())";
        };
        return List.of(
                switch (way) {
                    case COPY -> new Sql("copy", "copy " + into + " from stdin");
                    case BATCH -> new Sql("batch", "insert into " + into + " values " + row);
                    case VALUES ->
                        new Sql(
                                "insert",
                                "insert into " + into + " values " + String.join(", ", Collections.nCopies(rows, row)));
                });
    }

    @Override
    public OperationProfile profile() {
        return OperationProfile.DEFAULT
                .claiming(way.table(1))
                .when(round.hasEnd() ? WhenUsedUp.REPLENISH : WhenUsedUp.RESET)
                .withRowBytes(options.get(WorkloadOptions.ROW_BYTES))
                .with(OperationTrait.REQUESTS_CHECKPOINTS, options.get(CHECKPOINT));
    }

    @Override
    public boolean changesInSetUp() {
        return true;
    }

    /** The tables are recreated before a run, because their options may have changed. */
    @Override
    public void setUp(Connection control) throws SQLException {
        checkRights(control);
        if (way == BulkWay.BATCH) {
            refuseNow(options, way.operation());
        }
        OwnTables own = new OwnTables(control, context);
        WorkloadOptions.Indexes indexes = options.get(WorkloadOptions.INDEXES);
        int rowBytes = options.get(WorkloadOptions.ROW_BYTES);
        String columns = by() == Values.NOW
                ? "at timestamp not null, filler text not null" + byDefault(rowBytes - AT_BYTES)
                : "id bigint not null" + (indexes == WorkloadOptions.Indexes.NONE ? "" : " primary key")
                        + ", filler text not null"
                        + (by() == Values.SERVER ? byDefault(rowBytes - BulkRows.FIXED_BYTES) : "")
                        + ", at timestamp not null default current_timestamp";
        String distribution = by() == Values.NOW ? "at" : "id";
        for (int t = 1; t <= options.get(WorkloadOptions.TABLES); t++) {
            String table = way.table(t);
            own.drop(table);
            boolean isNew = own.create(table, columns, distribution, t);
            if (isNew && indexes == WorkloadOptions.Indexes.ALL) {
                own.execute("create index " + table + "_at_idx on " + table + " (at)");
            }
        }
    }

    /** @throws InvalidPlanException if the rows are to be {@code (now())}, which the operation has not */
    static void refuseNow(Options options, String operation) {
        if (options.get(VALUES_BY) == Values.NOW) {
            throw new InvalidPlanException("row-values: now is for bulk_insert and bulk_copy, not for " + operation);
        }
    }

    /** The DEFAULT clause that fills a text column with this many bytes. */
    static String byDefault(int textBytes) {
        return " default repeat('x', " + textBytes + ")";
    }

    private List<String> tables() {
        return IntStream.rangeClosed(1, options.get(WorkloadOptions.TABLES))
                .mapToObj(way::table)
                .toList();
    }

    @Override
    public void resetTables(Connection control) throws SQLException {
        new OwnTables(control, context).execute("truncate " + String.join(", ", tables()));
        pauseBetweenRounds(control);
    }

    @Override
    public void rewind() {
        tallies.reset();
        round.again(); // draws that were only explained started none
    }

    @Override
    public List<TableCheck> checks() {
        return TableCheck.of(way.operation(), this::check, tables(), tallies);
    }

    private List<Remark> check(Connection control) throws SQLException {
        String since = round.hasEnd() ? " since the tables were emptied" : "";
        return tallies.compare(
                "rows of " + way.operation() + since + ", count(*)",
                new OwnTables(control, context).count(tables()),
                TableStorage.unlogged(control, tables()));
    }

    @Override
    public ClientOperation forClient(ClientSeat seat) {
        BulkRows made = new BulkRows(
                rows,
                options.get(WorkloadOptions.ROW_BYTES),
                seat.seed(),
                seat.client(),
                seat.clients(),
                seat.client());
        SqlStatement statement = seat.statement(0);
        Values by = by();
        return new TalliedClient(tallies.forClient(), rows) {
            @Override
            public boolean draw() {
                if (round.isOver()) {
                    return false;
                }
                made.draw();
                return true;
            }

            @Override
            protected long send() throws SQLException {
                switch (way) {
                    case COPY -> {
                        return statement.copy(made.asCopy(by));
                    }
                    case BATCH -> {
                        for (int row = 0; row < rows; row++) {
                            bind(row, 1);
                            statement.addBatch();
                        }
                        return statement.updateBatch();
                    }
                    default -> {
                        for (int row = 0; row < rows; row++) {
                            bind(row, by == Values.CLIENT ? 2 * row + 1 : row + 1);
                        }
                        return statement.update();
                    }
                }
            }

            private void bind(int row, int first) throws SQLException {
                if (by == Values.NOW) {
                    return;
                }
                statement.setLong(first, made.id(row));
                if (by == Values.CLIENT) {
                    statement.setText(first + 1, made.text(row));
                }
            }
        };
    }

    private static Duration pause(String text) {
        Duration pause = Durations.parse(text);
        if (pause.compareTo(MAX_PAUSE) > 0) {
            throw new IllegalArgumentException("must be at most 5 min");
        }
        return pause;
    }

    private static String needsRounds(Options o) {
        return !o.isWrong(RunOptions.ROUND_TIME) && o.get(RunOptions.ROUND_TIME).isZero()
                ? "needs rounds, such as --round-time 1000s"
                : "";
    }

    /** @throws InvalidPlanException if the role may not run CHECKPOINT */
    private void checkRights(Connection control) throws SQLException {
        if (context.get(CHECKPOINT) && new OwnTables(control, context).number(MAY_CHECKPOINT) == 0) {
            throw new InvalidPlanException(
                    "checkpoint: this role may not run CHECKPOINT: it must be a superuser or, since"
                            + " PostgreSQL 15, a member of pg_checkpoint (grant pg_checkpoint to ...)");
        }
    }

    /** Between two rounds, while all clients pause, when the tables have been emptied; does nothing before the first round. */
    private void pauseBetweenRounds(Connection control) throws SQLException {
        if (!hasRoundBegun) {
            hasRoundBegun = true;
            return;
        }
        if (context.get(CHECKPOINT)) {
            new OwnTables(control, context).execute("checkpoint");
        }
        try {
            TimeUnit.NANOSECONDS.sleep(context.get(ROUND_PAUSE).toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the run is to end
        }
    }

    /** How a bulk operation sends its rows. */
    enum BulkWay {
        VALUES("bulk_insert"),
        COPY("bulk_copy"),
        BATCH("bulk_batch");

        private final String operation;

        BulkWay(String operation) {
            this.operation = operation;
        }

        String operation() {
            return operation;
        }

        /** The name of a table it inserts into, numbered from 1. */
        String table(int number) {
            return "pgstress_" + operation + "_" + number;
        }
    }

    /** The time until the tables are emptied; starts with the first draw. Thread-safe. */
    static final class Round {
        private final long nanos;
        private final AtomicLong start = new AtomicLong();

        /** @param length zero: it never ends */
        Round(Duration length) {
            this.nanos = length.toNanos();
        }

        boolean hasEnd() {
            return nanos > 0;
        }

        boolean isOver() {
            if (nanos == 0) {
                return false;
            }
            long now = System.nanoTime();
            long since = start.get();
            if (since == 0) {
                start.compareAndSet(0, now);
                return false;
            }
            return now - since >= nanos;
        }

        void again() {
            start.set(0);
        }
    }
}
