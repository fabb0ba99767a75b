package io.pgstress.operation.workload;

import io.pgstress.operation.OperationType;
import io.pgstress.operation.TableCheck;
import io.pgstress.operation.custom.StepsOperation.OperationTables;
import io.pgstress.operation.table.OwnTables;
import io.pgstress.operation.table.PortionedCopy;
import io.pgstress.operation.table.SysbenchRows;
import io.pgstress.operation.table.WorkloadOptions;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.script.Script;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.target.dialect.TableStorage;
import io.pgstress.target.driver.ControlSql;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * pgbench's four tables, under its names and with its rows; tables created by {@code pgbench -i} are used as they are.
 * Distributed by account, teller and branch, the history by account.
 */
final class PgbenchTables implements OperationTables {
    private static final int ACCOUNTS = 100_000;
    private static final int TELLERS = 10;
    private static final int MAX_ACCOUNT_BYTES = 40;
    /** From this scale on, pgbench numbers accounts by {@code bigint} (SCALE_32BIT_THRESHOLD in pgbench.c). */
    private static final int BIGINT_SCALE = 20_000;
    /** The greatest scale at which the accounts are added up: 10 million rows. */
    private static final int MAX_SUMMED_SCALE = 100;

    private static final List<String> NAMES =
            List.of("pgbench_accounts", "pgbench_tellers", "pgbench_branches", "pgbench_history");

    /** What a message advises for tables that cannot be used. Some of them may be missing. */
    private static final String DROP = "drop them: drop table if exists " + String.join(", ", NAMES);

    private final String operation;
    private final OperationType.Context context;
    private final Change change;
    private int scale = 1;
    /** The sums of the balances before the load, by table; empty until they are read. */
    private Map<String, Long> before = Map.of();

    /** How long the tables took to create, by phase; empty if this run did not create them. */
    private final Map<String, Double> made = new LinkedHashMap<>();

    /** What a run changes. */
    enum Change {
        NOTHING,
        /** The accounts and the history. */
        ACCOUNTS,
        /** All four tables, by the same amounts. */
        ALL
    }

    /** @param operation the name of the operation that uses them */
    PgbenchTables(String operation, OperationType.Context context, Change change) {
        this.operation = operation;
        this.context = context;
        this.change = change;
    }

    /** The scale as a variable of scripts. */
    @Override
    public Map<String, Long> values() {
        return Map.of(Script.SCALE, (long) scale);
    }

    @Override
    public long knownRows() {
        return (long) scale * ACCOUNTS;
    }

    @Override
    public List<String> claims() {
        return change == Change.NOTHING ? List.of() : List.of("pgbench_accounts");
    }

    /** @throws InvalidPlanException if the existing tables have another scale than requested */
    @Override
    public void setUp(Connection control) throws SQLException {
        OwnTables tables = new OwnTables(control, context);
        int asked = context.get(WorkloadOptions.SCALE);
        int wanted = Math.max(1, asked);
        if (tables.exists("pgbench_branches") && areOther(tables)) {
            wanted = asked > 0 ? asked : Math.max(1, scaleOf(tables));
            tables.drop(String.join(", ", NAMES));
        }
        if (!tables.exists("pgbench_branches")) {
            dropHalfMade(tables);
            scale = wanted;
            make(tables, control);
        }
        scale = scaleOf(tables);
        if (scale == 0) {
            throw new InvalidPlanException("--scale: pgbench_branches is empty, so the tables are incomplete; " + DROP);
        }
        if (asked > 0 && asked != scale) {
            throw new InvalidPlanException("--scale: pgbench's tables have scale " + scale + ", not " + asked
                    + "; leave the option out, or " + DROP);
        }
        checkWhole(tables);
    }

    private static int scaleOf(OwnTables tables) throws SQLException {
        return Math.toIntExact(tables.number("select count(*) from pgbench_branches"));
    }

    /** Whether all tables are this program's own and do not match the current options. */
    private static boolean areOther(OwnTables tables) throws SQLException {
        boolean isOther = false;
        for (String table : NAMES) {
            isOther |= tables.isOther(table, 0);
        }
        for (String table : NAMES) {
            if (isOther && !tables.isOurs(table)) {
                throw new InvalidPlanException("--scale: pgbench's tables have other options, and " + table
                        + " was not created by this program; drop them, or leave out the options");
            }
        }
        return isOther;
    }

    /** Branches are created last, so the other tables without them are left over from a run killed while creating them. */
    private void dropHalfMade(OwnTables tables) throws SQLException {
        for (String table : NAMES) {
            if (tables.exists(table)) {
                if (context.isDryRun() || !tables.isOurs(table)) {
                    throw new InvalidPlanException("--scale: " + table
                            + " exists without pgbench_branches, so the tables" + " are incomplete; " + DROP);
                }
                tables.drop(table);
            }
        }
    }

    private void checkWhole(OwnTables tables) throws SQLException {
        if (tables.number("select count(*) from pg_index where indrelid = 'pgbench_accounts'::regclass") == 0) {
            throw new InvalidPlanException("--scale: pgbench_accounts has no index, so it is incomplete; add it"
                    + " (alter table pgbench_accounts add primary key (aid)), or " + DROP);
        }
        long last = tables.number("select coalesce(max(aid), 0) from pgbench_accounts");
        if (last != (long) scale * ACCOUNTS) {
            throw new InvalidPlanException("--scale: pgbench_accounts ends at " + last + ", not at "
                    + (long) scale * ACCOUNTS + " as of scale " + scale
                    + ", so it is incomplete; " + DROP);
        }
    }

    /** As pgbench before a run. Sums that differ, as after {@code pgbench -N}, are not an error. */
    @Override
    public boolean reset(Connection control) throws SQLException {
        if (change == Change.NOTHING) {
            return false;
        }
        ControlSql.execute(control, "vacuum pgbench_branches", "vacuum pgbench_tellers", "truncate pgbench_history");
        before = sums(new OwnTables(control, context));
        return true;
    }

    @Override
    public List<TableCheck> checks() {
        TableCheck.Local creation = () -> made.isEmpty()
                ? List.of()
                : List.of(RemarkCode.TABLES_CREATED
                        .with(
                                "seconds",
                                made.values().stream()
                                        .mapToDouble(Double::doubleValue)
                                        .sum())
                        .with("steps", new LinkedHashMap<>(made))
                        .remark());
        return change == Change.NOTHING || context.get(RunOptions.NO_RESET)
                ? List.of(creation)
                : List.of(creation, new TableCheck.ByQuery(operation, this::check, NAMES, List.of()));
    }

    /**
     * Creates and fills the tables in the order of {@code pgbench -i}: tables, rows, vacuum, keys. Branches are filled last, so
     * tables without them are incomplete.
     */
    private void make(OwnTables tables, Connection control) throws SQLException {
        String account = scale < BIGINT_SCALE ? "int" : "bigint";
        time("tables", () -> {
            tables.create("pgbench_tellers", "tid int not null, bid int, tbalance int, filler char(84)", "tid", 0);
            tables.create(
                    "pgbench_accounts",
                    "aid " + account + " not null, bid int, abalance int, filler char(84)",
                    "aid",
                    0);
            tables.create(
                    "pgbench_history",
                    "tid int, bid int, aid " + account + ", delta int, mtime timestamp, filler char(22)",
                    "aid",
                    0);
        });
        time("rows", () -> {
            tables.execute("insert into pgbench_tellers (tid, bid, tbalance) select i, (i - 1) / " + TELLERS
                    + " + 1, 0 from generate_series(1, " + scale * TELLERS + ") i");
            PortionedCopy.fill(
                    control,
                    context.work(),
                    new PortionedCopy.Content(
                            "pgbench_accounts (aid, bid, abalance, filler)",
                            knownRows(),
                            ACCOUNTS,
                            MAX_ACCOUNT_BYTES,
                            portion -> accounts(portion + 1)));
        });
        time("vacuum", () -> tables.execute("vacuum analyze pgbench_tellers", "vacuum analyze pgbench_accounts"));
        time(
                "keys",
                () -> tables.execute(
                        "alter table pgbench_tellers add constraint pgbench_tellers_pkey primary key (tid)",
                        "alter table pgbench_accounts add constraint pgbench_accounts_pkey primary key (aid)"));
        time("branches", () -> {
            tables.create(
                    "pgbench_branches",
                    "bid int not null, bbalance int, filler char(88), constraint pgbench_branches_pkey primary key (bid)",
                    "bid",
                    0);
            tables.execute(
                    "insert into pgbench_branches (bid, bbalance) select i, 0 from generate_series(1, " + scale + ") i",
                    "vacuum analyze pgbench_branches");
        });
    }

    private static PortionedCopy.Rows accounts(long branch) {
        byte[] rest = (branch + "\t0\t\n").getBytes(StandardCharsets.US_ASCII);
        return (account, to, from) -> {
            int at = SysbenchRows.number(account, to, from);
            System.arraycopy(rest, 0, to, at, rest.length);
            return at + rest.length;
        };
    }

    private interface Work {
        void run() throws SQLException;
    }

    private void time(String phase, Work work) throws SQLException {
        long start = System.nanoTime();
        work.run();
        made.put(phase, (System.nanoTime() - start) / 1e9);
    }

    /**
     * The sums of the balances, which a run must increase by the sum of its history. Adding up the accounts of large tables takes
     * longer than a run, so there only tellers and branches are compared.
     */
    private Map<String, Long> sums(OwnTables tables) throws SQLException {
        Map<String, Long> sums = new LinkedHashMap<>();
        if (change == Change.ALL) {
            sums.put("tellers", tables.number("select coalesce(sum(tbalance), 0) from pgbench_tellers"));
            sums.put("branches", tables.number("select coalesce(sum(bbalance), 0) from pgbench_branches"));
        }
        if (scale <= MAX_SUMMED_SCALE) {
            sums.put("accounts", tables.number("select coalesce(sum(abalance), 0) from pgbench_accounts"));
        }
        return sums;
    }

    private List<Remark> check(Connection control) throws SQLException {
        OwnTables tables = new OwnTables(control, context);
        if (before.isEmpty()) {
            return List.of(); // too many accounts to add them up, and nothing else was changed
        }
        long history = tables.number("select coalesce(sum(delta), 0) from pgbench_history");
        Map<String, Long> grown = sums(tables);
        grown.replaceAll((table, now) -> now - before.getOrDefault(table, 0L));
        boolean agree = grown.values().stream().allMatch(sum -> sum == history);
        return List.of(
                agree
                        ? RemarkCode.BALANCES_AGREE
                                .with("grown", grown)
                                .with("history", history)
                                .remark()
                        : RemarkCode.BALANCES_DIFFER
                                .with("grown", grown)
                                .with("history", history)
                                .with("unlogged", TableStorage.unlogged(control, NAMES))
                                .remark());
    }
}
