package io.pgstress.operation.pgbench;

import io.pgstress.operation.OperationType;
import io.pgstress.operation.workload.OwnTables;
import io.pgstress.operation.workload.PortionedCopy;
import java.sql.Connection;
import java.sql.SQLException;

/** Creates and fills pgbench's tables, in the order of {@code pgbench -i}: tables, rows, vacuum, keys. Stateless. */
final class PgbenchMaking {
    private PgbenchMaking() {}

    /** Returns how long each phase took. Branches are filled last, so tables without them are incomplete. */
    static PhaseTimes make(OwnTables tables, Connection control, int scale, OperationType.Context context)
            throws SQLException {
        PhaseTimes times = new PhaseTimes();
        times.time("tables", () -> createTables(tables, scale));
        times.time("rows", () -> fill(tables, control, scale, context));
        times.time("vacuum", () -> tables.execute("vacuum analyze pgbench_tellers", "vacuum analyze pgbench_accounts"));
        times.time(
                "keys",
                () -> tables.execute(
                        "alter table pgbench_tellers add constraint pgbench_tellers_pkey primary key (tid)",
                        "alter table pgbench_accounts add constraint pgbench_accounts_pkey primary key (aid)"));
        times.time("branches", () -> createBranches(tables, scale));
        return times;
    }

    private static void createTables(OwnTables tables, int scale) throws SQLException {
        String account = PgbenchTables.accountType(scale);
        tables.create("pgbench_tellers", "tid int not null, bid int, tbalance int, filler char(84)", "tid", 0);
        tables.create(
                "pgbench_accounts", "aid " + account + " not null, bid int, abalance int, filler char(84)", "aid", 0);
        tables.create(
                "pgbench_history",
                "tid int, bid int, aid " + account + ", delta int, mtime timestamp, filler char(22)",
                "aid",
                0);
    }

    private static void fill(OwnTables tables, Connection control, int scale, OperationType.Context context)
            throws SQLException {
        tables.execute("insert into pgbench_tellers (tid, bid, tbalance) select i, (i - 1) / " + PgbenchTables.TELLERS
                + " + 1, 0 from generate_series(1, " + scale * PgbenchTables.TELLERS + ") i");
        PortionedCopy.fill(control, context.work(), AccountCopy.rows(scale));
    }

    private static void createBranches(OwnTables tables, int scale) throws SQLException {
        tables.create(
                "pgbench_branches",
                "bid int not null, bbalance int, filler char(88), constraint pgbench_branches_pkey primary key (bid)",
                "bid",
                0);
        tables.execute(
                "insert into pgbench_branches (bid, bbalance) select i, 0 from generate_series(1, " + scale + ") i",
                "vacuum analyze pgbench_branches");
    }
}
