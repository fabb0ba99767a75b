package io.pgstress.operation.workload;

import io.pgstress.dataset.SplitMix;
import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.Operation;
import io.pgstress.operation.OperationProfile;
import io.pgstress.operation.OperationType;
import io.pgstress.operation.TableCheck;
import io.pgstress.operation.TalliedClient;
import io.pgstress.operation.WriteTallies;
import io.pgstress.operation.table.OwnTables;
import io.pgstress.operation.table.WorkloadOptions;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.TableName;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Group;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.result.Remark;
import io.pgstress.target.dialect.Plans;
import io.pgstress.target.dialect.TableStorage;
import io.pgstress.target.statement.Sql;
import io.pgstress.target.statement.SqlStatement;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * {@code shard_insert} and {@code shard_insert_grouped}: inserts rows into exactly {@code --shards-hit} shards, with one
 * statement, or with one per shard as a client that groups its rows by shard does. The server is asked before the load
 * which shard each key belongs to.
 */
public final class ShardInsert implements Operation {
    static final Option<Integer> SHARDS_HIT = Option.of("shards-hit", "N", Forms.integer(1, 10_000))
            .byDefault("1")
            .refusedIf(o -> o.get(WorkloadOptions.ROWS) < o.get(ShardInsert.SHARDS_HIT)
                    ? "is " + o.get(ShardInsert.SHARDS_HIT) + ", but " + o.get(WorkloadOptions.ROWS)
                            + " rows (--rows) cannot be in that many shards"
                    : "")
            .help(Group.WORKLOAD, "shards of an operation's rows", "Or datanodes of Postgres-XL.");

    public static final OperationType TYPE =
            type("shard_insert", "inserts --rows rows into --shards-hit shards", false);
    public static final OperationType GROUPED =
            type("shard_insert_grouped", "the same, with one statement per shard", true);

    /** Number of keys to look up: enough keys per shard for hundreds of shards. */
    private static final int KEYS = 20_000;

    private static final int ID_BYTES = 4;
    private static final int AT_BYTES = 8;

    private final String operation;
    private final boolean grouped;
    private final OperationType.Context context;
    private final Options options;
    private final WriteTallies tallies;
    /** By shard, as the server reports them; empty before it has been asked. */
    private int[][] keys = {};

    private ShardInsert(String operation, boolean grouped, OperationType.Context context) {
        this.operation = operation;
        this.grouped = grouped;
        this.context = context;
        this.options = context.options();
        this.tallies = new WriteTallies(context.get(RunOptions.TRANSACTION), options.get(WorkloadOptions.ROWS));
    }

    private static OperationType type(String name, String summary, boolean grouped) {
        return OperationType.of(name, summary, c -> new ShardInsert(name, grouped, c))
                .selfContained(table(name))
                .with(WorkloadOptions.withCreation(
                        WorkloadOptions.ROWS,
                        WorkloadOptions.ROW_BYTES,
                        BulkInsert.VALUES_BY,
                        SHARDS_HIT,
                        RunOptions.NO_RESET));
    }

    private static String table(String operation) {
        return "pgstress_" + operation;
    }

    /** Rows per statement: all of them, or the one or two row counts that a shard gets. */
    private int[] sizes() {
        if (!grouped) {
            return new int[] {options.get(WorkloadOptions.ROWS)};
        }
        int hits = options.get(SHARDS_HIT);
        return IntStream.range(0, hits)
                .map(h -> ShardRows.begin(h + 1, options.get(WorkloadOptions.ROWS), hits)
                        - ShardRows.begin(h, options.get(WorkloadOptions.ROWS), hits))
                .distinct()
                .sorted()
                .toArray();
    }

    private boolean idsOnly() {
        return options.get(BulkInsert.VALUES_BY) == BulkRows.Values.SERVER;
    }

    private int textBytes() {
        return options.get(WorkloadOptions.ROW_BYTES) - ID_BYTES - AT_BYTES;
    }

    @Override
    public List<Sql> statements(int client) {
        int[] sizes = sizes();
        return IntStream.of(sizes)
                .mapToObj(rows -> new Sql(
                        sizes.length == 1 ? "insert" : "insert_" + rows,
                        "insert into " + table(operation) + (idsOnly() ? " (id) values " : " (id, filler) values ")
                                + String.join(", ", Collections.nCopies(rows, idsOnly() ? "(?)" : "(?, ?)"))))
                .toList();
    }

    @Override
    public OperationProfile profile() {
        return OperationProfile.DEFAULT.claiming(table(operation)).withRowBytes(options.get(WorkloadOptions.ROW_BYTES));
    }

    @Override
    public boolean changesInSetUp() {
        return true;
    }

    @Override
    public void setUp(Connection control) throws SQLException {
        BulkInsert.refuseNow(options, operation);
        OwnTables own = new OwnTables(control, context);
        String table = table(operation);
        own.drop(table);
        own.create(
                table,
                "id int not null, filler text" + (idsOnly() ? BulkInsert.byDefault(textBytes()) : "")
                        + ", at timestamp not null default current_timestamp",
                "id",
                0);
        keys = byShard(context.dialect().tables().partsOfKeys(control, new TableName("", table), "id", KEYS));
        if (keys.length < options.get(SHARDS_HIT)) {
            throw new InvalidPlanException("shards-hit: " + options.get(SHARDS_HIT)
                    + " shards cannot be hit: the table has "
                    + keys.length
                    + (context.dialect().plans().equals(Plans.LOCAL)
                            ? ", because this server does not distribute tables"
                            : ""));
        }
    }

    @Override
    public void resetTables(Connection control) throws SQLException {
        new OwnTables(control, context).execute("truncate " + table(operation));
    }

    @Override
    public void rewind() {
        tallies.reset();
    }

    @Override
    public List<TableCheck> checks() {
        return TableCheck.of(operation, this::check, List.of(table(operation)), tallies);
    }

    private List<Remark> check(Connection control) throws SQLException {
        long there = new OwnTables(control, context).number("select count(*) from " + table(operation));
        return tallies.compare(
                "rows of " + operation + " in " + options.get(SHARDS_HIT) + " of " + keys.length
                        + " shards per operation, count(*)",
                there,
                TableStorage.unlogged(control, List.of(table(operation))));
    }

    @Override
    public ClientOperation forClient(ClientSeat seat) {
        ShardRows rows = new ShardRows(
                keys, options.get(WorkloadOptions.ROWS), options.get(SHARDS_HIT), textBytes(), seat.random());
        boolean idsOnly = idsOnly();
        int count = options.get(WorkloadOptions.ROWS);
        int groups = grouped ? options.get(SHARDS_HIT) : 1;
        int[] sizes = sizes();
        SqlStatement[] statements = new SqlStatement[sizes[sizes.length - 1] + 1];
        for (int s = 0; s < sizes.length; s++) {
            statements[sizes[s]] = seat.statement(s);
        }
        return new TalliedClient(tallies.forClient(), count) {
            private int from;
            private int to;

            @Override
            public boolean draw() {
                rows.draw();
                return true;
            }

            @Override
            public Ending execute() throws SQLException {
                long in = 0;
                for (int g = 0; g < groups; g++) {
                    from = ShardRows.begin(g, count, groups);
                    to = ShardRows.begin(g + 1, count, groups);
                    in += sendNoted(to - from);
                }
                return in < count ? Ending.MISS : Ending.OK;
            }

            @Override
            protected long send() throws SQLException {
                SqlStatement statement = statements[to - from];
                rows.bind(statement, from, to, idsOnly);
                return statement.update();
            }
        };
    }

    /**
     * The keys by shard, or datanode.
     *
     * @param shards the shard of each key, for keys from 1
     */
    static int[][] byShard(long[] shards) {
        Map<Long, List<Integer>> byShard = new TreeMap<>();
        for (int key = 1; key <= shards.length; key++) {
            byShard.computeIfAbsent(shards[key - 1], s -> new ArrayList<>()).add(key);
        }
        return byShard.values().stream()
                .map(list -> list.stream().mapToInt(Integer::intValue).toArray())
                .toArray(int[][]::new);
    }

    /** One client's rows, spread evenly over shards that are drawn for each operation. Not thread-safe. */
    static final class ShardRows {
        private final int[][] keys;
        private final int hits;
        private final int[] ids;
        private final int[] shards;
        private final String[] texts;
        private final SplitMix random;

        /** @param hits number of shards to spread the rows over, at most {@code rows} */
        ShardRows(int[][] keys, int rows, int hits, int textBytes, SplitMix random) {
            this.keys = keys;
            this.hits = hits;
            this.ids = new int[rows];
            this.random = random;
            this.shards = new int[keys.length];
            for (int s = 0; s < shards.length; s++) {
                shards[s] = s;
            }
            byte[][] made = BulkRows.texts(textBytes, random);
            this.texts = new String[made.length];
            for (int t = 0; t < made.length; t++) {
                texts[t] = new String(made[t], StandardCharsets.US_ASCII);
            }
        }

        /** The first row of one of the drawn shards; for the number of shards, the end of the rows. */
        static int begin(int group, int rows, int hits) {
            return (int) ((long) group * rows / hits);
        }

        /** Draws shards, with the first steps of a Fisher-Yates shuffle, and the keys of their rows. */
        void draw() {
            for (int h = 0; h < hits; h++) {
                int other = h + random.below(shards.length - h);
                int shard = shards[other];
                shards[other] = shards[h];
                shards[h] = shard;
                for (int r = begin(h, ids.length, hits); r < begin(h + 1, ids.length, hits); r++) {
                    ids[r] = keys[shard][random.below(keys[shard].length)];
                }
            }
        }

        /** Binds a range of rows. */
        void bind(SqlStatement statement, int from, int to, boolean idsOnly) throws SQLException {
            for (int r = from; r < to; r++) {
                if (idsOnly) {
                    statement.setInt(r - from + 1, ids[r]);
                    continue;
                }
                statement.setInt(2 * (r - from) + 1, ids[r]);
                statement.setText(2 * (r - from) + 2, texts[r & (texts.length - 1)]);
            }
        }
    }
}
