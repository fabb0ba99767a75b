package io.pgstress.operation.workload;

import io.pgstress.operation.Afterwards;
import io.pgstress.operation.OperationType;
import io.pgstress.plan.InvalidPlanException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;

/**
 * pgbench's four tables, with its rows, by its names: those of {@code pgbench -i} are taken as they are. Distributed by
 * account, teller and branch, the history by account.
 */
final class PgbenchTables {
    static final int ACCOUNTS = 100_000;
    static final int TELLERS = 10;
    /** Units of scale that one statement fills. */
    private static final int PORTION = 10;

    private static final String SUMS = "select (select coalesce(sum(abalance), 0) from pgbench_accounts)";

    private final OperationType.Context context;
    private int scale = 1;
    private long before;

    PgbenchTables(OperationType.Context context) {
        this.context = context;
    }

    int scale() {
        return scale;
    }

    /** @throws InvalidPlanException where there are tables of another scale than was asked for */
    void setUp(Connection control) throws SQLException {
        OwnTables tables = new OwnTables(control, context);
        int asked = context.options().workload().scale();
        if (!tables.exists("pgbench_branches")) {
            scale = Math.max(1, asked);
            make(tables);
        }
        scale = (int) tables.number("select count(*) from pgbench_branches");
        if (scale == 0 || (asked > 0 && asked != scale)) {
            throw new InvalidPlanException("scale: pgbench_branches has " + scale + " rows, so its scale is " + scale
                    + ", not " + asked + "; drop pgbench's tables, or leave --scale out");
        }
    }

    private void make(OwnTables tables) throws SQLException {
        tables.create("pgbench_branches", "bid int not null, bbalance int, filler char(88)", "bid", 0);
        tables.create("pgbench_tellers", "tid int not null, bid int, tbalance int, filler char(84)", "tid", 0);
        tables.create("pgbench_accounts", "aid int not null, bid int, abalance int, filler char(84)", "aid", 0);
        tables.create(
                "pgbench_history", "tid int, bid int, aid int, delta int, mtime timestamp, filler char(22)", "aid", 0);
        tables.execute(
                "insert into pgbench_branches (bid, bbalance) select i, 0 from generate_series(1, " + scale + ") i",
                "insert into pgbench_tellers (tid, bid, tbalance) select i, (i - 1) / " + TELLERS
                        + " + 1, 0 from generate_series(1, " + scale * TELLERS + ") i");
        for (int from = 0; from < scale; from += PORTION) {
            long last = (long) Math.min(scale, from + PORTION) * ACCOUNTS;
            tables.execute("insert into pgbench_accounts (aid, bid, abalance, filler) select i, (i - 1) / " + ACCOUNTS
                    + " + 1, 0, '' from generate_series(" + ((long) from * ACCOUNTS + 1) + ", " + last + ") i");
        }
        tables.execute(
                "alter table pgbench_branches add constraint pgbench_branches_pkey primary key (bid)",
                "alter table pgbench_tellers add constraint pgbench_tellers_pkey primary key (tid)",
                "alter table pgbench_accounts add constraint pgbench_accounts_pkey primary key (aid)",
                "vacuum analyze pgbench_branches",
                "vacuum analyze pgbench_tellers",
                "vacuum analyze pgbench_accounts");
    }

    /** As pgbench does before a run: the small tables vacuumed, the history emptied. */
    void reset(Connection control) throws SQLException {
        OwnTables tables = new OwnTables(control, context);
        tables.execute("vacuum pgbench_branches", "vacuum pgbench_tellers", "truncate pgbench_history");
        before = tables.number(SUMS);
    }

    /** That all money is where it was booked, and the history has a row for each transaction. */
    List<Afterwards> check(Connection control, Tallies transactions) throws SQLException {
        OwnTables tables = new OwnTables(control, context);
        long accounts = tables.number(SUMS);
        long tellers = tables.number("select coalesce(sum(tbalance), 0) from pgbench_tellers");
        long branches = tables.number("select coalesce(sum(bbalance), 0) from pgbench_branches");
        long history = tables.number("select coalesce(sum(delta), 0) from pgbench_history");
        boolean agree = accounts == tellers && accounts == branches && accounts - before == history;
        Afterwards sums = new Afterwards(
                agree,
                String.format(
                        Locale.ROOT,
                        "sums of the balances: accounts %,d, tellers %,d, branches %,d, history %,d on top of %,d: they%s agree",
                        accounts,
                        tellers,
                        branches,
                        history,
                        before,
                        agree ? "" : " do not"));
        return List.of(
                sums,
                transactions.compare(
                        "rows of pgbench_history", tables.number("select count(*) from pgbench_history"), 1));
    }
}
