package io.pgstress.operation.pgbench;

import io.pgstress.operation.OperationType;
import io.pgstress.operation.PostRunCheck;
import io.pgstress.operation.WriteTallies;
import io.pgstress.operation.workload.OwnTables;
import io.pgstress.operation.workload.WorkloadOptions;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.target.statement.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * pgbench's four tables, under its names and with its rows; tables created by {@code pgbench -i} are used as they are.
 * Distributed by account, teller and branch, the history by account.
 */
final class PgbenchTables {
    static final int ACCOUNTS = 100_000;
    static final int TELLERS = 10;
    /** From this scale on, pgbench numbers accounts by {@code bigint} (SCALE_32BIT_THRESHOLD in pgbench.c). */
    static final int BIGINT_SCALE = 20_000;

    private static final List<String> NAMES =
            List.of("pgbench_accounts", "pgbench_tellers", "pgbench_branches", "pgbench_history");

    private final OperationType.Context context;
    private int scale = 1;
    private @Nullable PgbenchSums before;
    private @Nullable PhaseTimes made;

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
            made = PgbenchMaking.make(tables, control, scale, context);
        }
        scale = scaleOf(tables);
        if (scale == 0 || (asked > 0 && asked != scale)) {
            throw new InvalidPlanException("scale: pgbench_branches has " + scale + " rows, so its scale is " + scale
                    + ", not " + asked + "; drop pgbench's tables, or omit --scale");
        }
        checkWhole(tables);
    }

    private static int scaleOf(OwnTables tables) throws SQLException {
        return Math.toIntExact(tables.number("select count(*) from pgbench_branches"));
    }

    /** The type of account numbers in new tables. */
    static String accountType(int scale) {
        return scale < BIGINT_SCALE ? "int" : "bigint";
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

    /** Vacuums the small tables and empties the history, as pgbench does before a run. */
    void reset(Connection control) throws SQLException {
        OwnTables tables = new OwnTables(control, context);
        tables.execute("vacuum pgbench_branches", "vacuum pgbench_tellers", "truncate pgbench_history");
        before = PgbenchSums.read(tables, scale);
    }

    /** Checks that balances match the history, and that the history has one row per transaction. */
    List<PostRunCheck> check(Connection control, WriteTallies transactions) throws SQLException {
        OwnTables tables = new OwnTables(control, context);
        return List.of(
                Objects.requireNonNull(before).check(tables),
                transactions.compare(
                        "rows of pgbench_history", tables.number("select count(*) from pgbench_history"), 1));
    }

    /** How long the tables took to create, if this run did so. */
    List<PostRunCheck> made() {
        return made == null ? List.of() : List.of(new PostRunCheck(true, "pgbench's tables were created in " + made));
    }
}
