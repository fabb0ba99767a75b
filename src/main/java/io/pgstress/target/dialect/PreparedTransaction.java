package io.pgstress.target.dialect;

import java.util.List;
import java.util.Locale;

/**
 * A row of {@code pg_prepared_xacts}.
 *
 * @param node the node that has it; empty if there is only one
 * @param gid its name
 * @param since the time when it was prepared
 */
public record PreparedTransaction(String node, String gid, String since) {
    static final String QUERY = "select gid, prepared::timestamp(0)::text from pg_prepared_xacts"
            + " where database = current_database() order by prepared";

    /** One line about these transactions: their number, the first one, and what to do. */
    public static String words(List<PreparedTransaction> all, String end) {
        PreparedTransaction first = all.get(0);
        return String.format(
                Locale.ROOT,
                "%,d prepared transactions hold locks (pg_prepared_xacts), such as '%s'%s since %s: end them by %s",
                all.size(),
                first.gid(),
                first.node().isEmpty() ? "" : " on " + first.node(),
                first.since(),
                end);
    }
}
