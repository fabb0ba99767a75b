package io.pgstress.operation.workload;

import io.pgstress.operation.OperationType;
import io.pgstress.operation.PostRunCheck;
import io.pgstress.operation.WriteTallies;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.target.statement.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * pgbench's four tables, under its names and with its rows; tables created by {@code pgbench -i} are used as they are.
 * Distributed by account, teller and branch, the history by account.
 */
final class PgbenchTables {
    static final int ACCOUNTS = 100_000;
    static final int TELLERS = 10;
    /** From this scale on, pgbench numbers accounts by {@code bigint} (SCALE_32BIT_THRESHOLD in pgbench.c). */
    static final int BIGINT_SCALE = 20_000;

    /** The greatest scale at which account numbers fit into an int. */
    private static final int MAX_SCALE = Integer.MAX_VALUE / ACCOUNTS;

    private static final List<String> NAMES =
            List.of("pgbench_accounts", "pgbench_tellers", "pgbench_branches", "pgbench_history");

    /** Scale units filled by one statement. */
    private static final int PORTION = 10;

    /** Of accounts, tellers and branches; {@code pgbench -N} makes them differ, which is not an error. */
    private static final List<String> SUMS = List.of(
            "select coalesce(sum(abalance), 0) from pgbench_accounts",
            "select coalesce(sum(tbalance), 0) from pgbench_tellers",
            "select coalesce(sum(bbalance), 0) from pgbench_branches");

    private final OperationType.Context context;
    private int scale = 1;
    private List<Long> before = List.of(0L, 0L, 0L);

    PgbenchTables(OperationType.Context context) {
        this.context = context;
    }

    int scale() {
        return scale;
    }

    /** Number of accounts, numbered from 1. */
    long accounts() {
        return (long) scale * ACCOUNTS;
    }

    /** Sets a parameter to an account's number, with the column's type. */
    void bindAccount(SqlStatement statement, int parameter, long account) throws SQLException {
        if (scale < BIGINT_SCALE) {
            statement.setInt(parameter, (int) account);
        } else {
            statement.setLong(parameter, account);
        }
    }

    /** @throws InvalidPlanException if the existing tables have another scale than requested */
    void setUp(Connection control) throws SQLException {
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
            make(tables);
        }
        scale = scaleOf(tables);
        if (scale == 0 || (asked > 0 && asked != scale)) {
            throw new InvalidPlanException("scale: pgbench_branches has " + scale + " rows, so its scale is " + scale
                    + ", not " + asked + "; drop pgbench's tables, or omit --scale");
        }
        checkWhole(tables);
    }

    /** @throws InvalidPlanException if there are more branches than account numbers allow */
    private static int scaleOf(OwnTables tables) throws SQLException {
        long branches = tables.number("select count(*) from pgbench_branches");
        if (branches > MAX_SCALE) {
            throw new InvalidPlanException("scale: pgbench_branches has " + branches + " rows, so its scale exceeds "
                    + MAX_SCALE + ", the maximum for 32-bit account numbers");
        }
        return (int) branches;
    }

    /** Whether all tables are this program's own and do not match the current options. */
    private static boolean areOther(OwnTables tables) throws SQLException {
        boolean isOther = false;
        for (String table : NAMES) {
            isOther |= tables.isOther(table, 0);
        }
        for (String table : NAMES) {
            if (isOther && !tables.isOurs(table)) {
                throw new InvalidPlanException("scale: pgbench's tables have other options, and " + table
                        + " was not created by this program; drop them, or leave out the options");
            }
        }
        return isOther;
    }

    /** Branches are created last, so the other tables without them are left over from a run killed while creating them. */
    private void dropHalfMade(OwnTables tables) throws SQLException {
        for (String table : List.of("pgbench_accounts", "pgbench_tellers", "pgbench_history")) {
            if (tables.exists(table)) {
                if (context.isDryRun() || !tables.isOurs(table)) {
                    throw new InvalidPlanException("scale: " + table + " exists without pgbench_branches, so the tables"
                            + " are incomplete; drop pgbench's tables");
                }
                tables.drop(table);
            }
        }
    }

    private void checkWhole(OwnTables tables) throws SQLException {
        if (tables.number("select count(*) from pg_index where indrelid = 'pgbench_accounts'::regclass") == 0) {
            throw new InvalidPlanException("scale: pgbench_accounts has no index, so it is incomplete; drop"
                    + " pgbench's tables, or add what is missing (alter table pgbench_accounts add primary key (aid))");
        }
        long last = tables.number("select coalesce(max(aid), 0) from pgbench_accounts");
        if (last != (long) scale * ACCOUNTS) {
            throw new InvalidPlanException("scale: pgbench_accounts ends at " + last + ", not at "
                    + (long) scale * ACCOUNTS + " as of scale " + scale
                    + ", so it is incomplete; drop pgbench's tables");
        }
    }

    private void make(OwnTables tables) throws SQLException {
        tables.create("pgbench_tellers", "tid int not null, bid int, tbalance int, filler char(84)", "tid", 0);
        tables.create("pgbench_accounts", "aid int not null, bid int, abalance int, filler char(84)", "aid", 0);
        tables.create(
                "pgbench_history", "tid int, bid int, aid int, delta int, mtime timestamp, filler char(22)", "aid", 0);
        tables.execute("insert into pgbench_tellers (tid, bid, tbalance) select i, (i - 1) / " + TELLERS
                + " + 1, 0 from generate_series(1, " + scale * TELLERS + ") i");
        for (int from = 0; from < scale; from += PORTION) {
            long last = (long) Math.min(scale, from + PORTION) * ACCOUNTS;
            tables.execute("insert into pgbench_accounts (aid, bid, abalance, filler) select i, (i - 1) / " + ACCOUNTS
                    + " + 1, 0, '' from generate_series(" + ((long) from * ACCOUNTS + 1) + ", " + last + ") i");
        }
        tables.execute(
                "alter table pgbench_tellers add constraint pgbench_tellers_pkey primary key (tid)",
                "alter table pgbench_accounts add constraint pgbench_accounts_pkey primary key (aid)",
                "vacuum analyze pgbench_tellers",
                "vacuum analyze pgbench_accounts");
        tables.create(
                "pgbench_branches",
                "bid int not null, bbalance int, filler char(88), constraint pgbench_branches_pkey primary key (bid)",
                "bid",
                0);
        tables.execute(
                "insert into pgbench_branches (bid, bbalance) select i, 0 from generate_series(1, " + scale + ") i",
                "vacuum analyze pgbench_branches");
    }

    /** Vacuums the small tables and empties the history, as pgbench does before a run. */
    void reset(Connection control) throws SQLException {
        OwnTables tables = new OwnTables(control, context);
        tables.execute("vacuum pgbench_branches", "vacuum pgbench_tellers", "truncate pgbench_history");
        before = sums(tables);
    }

    private static List<Long> sums(OwnTables tables) throws SQLException {
        List<Long> sums = new ArrayList<>();
        for (String sql : SUMS) {
            sums.add(tables.number(sql));
        }
        return List.copyOf(sums);
    }

    /** Checks that balances match the history, and that the history has one row per transaction. */
    List<PostRunCheck> check(Connection control, WriteTallies transactions) throws SQLException {
        OwnTables tables = new OwnTables(control, context);
        List<Long> now = sums(tables);
        long accounts = now.get(0) - before.get(0);
        long tellers = now.get(1) - before.get(1);
        long branches = now.get(2) - before.get(2);
        long history = tables.number("select coalesce(sum(delta), 0) from pgbench_history");
        boolean agree = accounts == history && tellers == history && branches == history;
        PostRunCheck sums = new PostRunCheck(
                agree,
                String.format(
                        Locale.ROOT,
                        "sums of the balances, by how much they grew: accounts %,d, tellers %,d, branches %,d; history"
                                + " %,d: they%s agree",
                        accounts,
                        tellers,
                        branches,
                        history,
                        agree ? "" : " do not"));
        return List.of(
                sums,
                transactions.compare(
                        "rows of pgbench_history", tables.number("select count(*) from pgbench_history"), 1));
    }
}
