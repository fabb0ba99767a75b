package io.pgstress.operation.workload;

import io.pgstress.operation.OperationType;
import io.pgstress.operation.TableCheck;
import io.pgstress.operation.custom.StepsOperation.OperationTables;
import io.pgstress.plan.RunOptions;
import io.pgstress.operation.TableCheck.PostRunCheck;
import io.pgstress.operation.workload.PgbenchTables.AccountCopy;
import io.pgstress.plan.option.InvalidPlanException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * pgbench's four tables, under its names and with its rows; tables created by {@code pgbench -i} are used as they are.
 * Distributed by account, teller and branch, the history by account.
 */
final class PgbenchTables implements OperationTables {
    static final int ACCOUNTS = 100_000;
    static final int TELLERS = 10;
    /** From this scale on, pgbench numbers accounts by {@code bigint} (SCALE_32BIT_THRESHOLD in pgbench.c). */
    static final int BIGINT_SCALE = 20_000;

    private static final List<String> NAMES =
            List.of("pgbench_accounts", "pgbench_tellers", "pgbench_branches", "pgbench_history");

    private final OperationType.Context context;
    private final boolean isChanged;
    private int scale = 1;
    private @Nullable PgbenchSums before;
    private @Nullable PhaseTimes made;

    /** @param isChanged whether the operation changes the tables */
    PgbenchTables(OperationType.Context context, boolean isChanged) {
        this.context = context;
        this.isChanged = isChanged;
    }

    @Override
    public long knownRows() {
        return (long) scale * ACCOUNTS;
    }

    @Override
    public List<String> claims() {
        return isChanged ? List.of("pgbench_accounts") : List.of();
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

    @Override
    public boolean reset(Connection control) throws SQLException {
        if (isChanged) {
            before = PgbenchSums.read(new OwnTables(control, context), scale);
        }
        return false;
    }

    /** How long the tables took to create, if this run did so, and whether balances match the history. */
    @Override
    public List<TableCheck> checks() {
        TableCheck.Local creation = () ->
                made == null ? List.of() : List.of(new PostRunCheck(true, "pgbench's tables were created in " + made));
        return !isChanged || context.get(RunOptions.NO_RESET)
                ? List.of(creation)
                : List.of(
                        creation,
                        new TableCheck.ByQuery(
                                control ->
                                        List.of(Objects.requireNonNull(before).check(new OwnTables(control, context))),
                                List.of()));
    }

    /** The rows of {@code pgbench_accounts}; a portion is a branch's accounts. Stateless. */
    static final class AccountCopy {
        private static final int MAX_LINE = 40;

        private AccountCopy() {}

        /** @param scale number of branches */
        static PortionedCopy.Content rows(int scale) {
            return new PortionedCopy.Content(
                    "pgbench_accounts (aid, bid, abalance, filler)",
                    (long) scale * PgbenchTables.ACCOUNTS,
                    PgbenchTables.ACCOUNTS,
                    MAX_LINE,
                    portion -> ofBranch(portion + 1));
        }

        private static PortionedCopy.Rows ofBranch(long branch) {
            byte[] rest = ("\t" + branch + "\t0\t\n").getBytes(StandardCharsets.US_ASCII);
            return (account, to, from) -> {
                int at = write(account, to, from);
                System.arraycopy(rest, 0, to, at, rest.length);
                return at + rest.length;
            };
        }

        private static int write(long number, byte[] to, int from) {
            int end = from + Long.toString(number).length();
            long rest = number;
            for (int i = end - 1; i >= from; i--) {
                to[i] = (byte) ('0' + rest % 10);
                rest /= 10;
            }
            return end;
        }
    }

    /** Creates and fills pgbench's tables, in the order of {@code pgbench -i}: tables, rows, vacuum, keys. Stateless. */
    static final class PgbenchMaking {
        private PgbenchMaking() {}

        /** Returns how long each phase took. Branches are filled last, so tables without them are incomplete. */
        static PhaseTimes make(OwnTables tables, Connection control, int scale, OperationType.Context context)
                throws SQLException {
            PhaseTimes times = new PhaseTimes();
            times.time("tables", () -> createTables(tables, scale));
            times.time("rows", () -> fill(tables, control, scale, context));
            times.time(
                    "vacuum",
                    () -> tables.execute("vacuum analyze pgbench_tellers", "vacuum analyze pgbench_accounts"));
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
                    "pgbench_accounts",
                    "aid " + account + " not null, bid int, abalance int, filler char(84)",
                    "aid",
                    0);
            tables.create(
                    "pgbench_history",
                    "tid int, bid int, aid " + account + ", delta int, mtime timestamp, filler char(22)",
                    "aid",
                    0);
        }

        private static void fill(OwnTables tables, Connection control, int scale, OperationType.Context context)
                throws SQLException {
            tables.execute(
                    "insert into pgbench_tellers (tid, bid, tbalance) select i, (i - 1) / " + PgbenchTables.TELLERS
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

    /**
     * The sums of pgbench's balances before a run, which a run must increase by the sum of its history. Adding up the accounts of
     * large tables takes longer than a run, so there only tellers and branches are compared. Belongs to one thread.
     */
    static final class PgbenchSums {
        /** The greatest scale at which the accounts are added up: 10 million rows. */
        static final int MAX_SCALE = 100;

        private static final List<String> COLUMNS = List.of(
                "tbalance) from pgbench_tellers", "bbalance) from pgbench_branches", "abalance) from pgbench_accounts");

        private final List<Long> before;

        private PgbenchSums(List<Long> before) {
            this.before = before;
        }

        /** The sums now. {@code pgbench -N} makes them differ, which is not an error. */
        static PgbenchSums read(OwnTables tables, int scale) throws SQLException {
            return new PgbenchSums(sums(tables, scale <= MAX_SCALE ? COLUMNS.size() : COLUMNS.size() - 1));
        }

        private static List<Long> sums(OwnTables tables, int count) throws SQLException {
            List<Long> sums = new ArrayList<>();
            for (String column : COLUMNS.subList(0, count)) {
                sums.add(tables.number("select coalesce(sum(" + column.replace(")", "), 0)")));
            }
            return sums;
        }

        /** Compares how much the sums have grown with the sum of the history. */
        PostRunCheck check(OwnTables tables) throws SQLException {
            List<Long> now = sums(tables, before.size());
            long history = tables.number("select coalesce(sum(delta), 0) from pgbench_history");
            boolean agree = true;
            for (int i = 0; i < now.size(); i++) {
                agree &= now.get(i) - before.get(i) == history;
            }
            String accounts = now.size() < COLUMNS.size()
                    ? "not added up (scale above " + MAX_SCALE + ")"
                    : String.format(Locale.ROOT, "%,d", now.get(2) - before.get(2));
            return new PostRunCheck(
                    agree,
                    String.format(
                            Locale.ROOT,
                            "sums of the balances, by how much they grew: accounts %s, tellers %,d, branches %,d; history"
                                    + " %,d: they%s agree",
                            accounts,
                            now.get(0) - before.get(0),
                            now.get(1) - before.get(1),
                            history,
                            agree ? "" : " do not"));
        }
    }

    /** How long the phases of a set-up took. Belongs to one thread. */
    static final class PhaseTimes {
        private final List<String> phases = new ArrayList<>();
        private double all;

        /** A phase. */
        interface Work {
            void run() throws SQLException;
        }

        /** Does the work and records its duration. */
        void time(String phase, Work work) throws SQLException {
            long start = System.nanoTime();
            work.run();
            double seconds = (System.nanoTime() - start) / 1e9;
            all += seconds;
            phases.add(String.format(Locale.ROOT, "%s %.1f s", phase, seconds));
        }

        boolean isEmpty() {
            return phases.isEmpty();
        }

        /** For example {@code 12.3 s (tables 0.1 s, rows 12.2 s)}. */
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%.1f s (%s)", all, String.join(", ", phases));
        }
    }
}
