package io.pgstress.operation.pgbench;

import io.pgstress.operation.PostRunCheck;
import io.pgstress.operation.workload.OwnTables;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The sums of pgbench's balances before a run, which a run must increase by the sum of its history. Adding up the accounts of
 * large tables takes longer than a run, so there only tellers and branches are compared. Belongs to one thread.
 */
final class PgbenchSums {
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
