package io.pgstress.probe;

import io.pgstress.plan.TableName;
import io.pgstress.result.Explained.NodeStatements;
import io.pgstress.runner.Findings;
import io.pgstress.runner.Probe;
import io.pgstress.target.dialect.Plans;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A server's counts of the run's statements before and after the run, if it holds the data. Not thread-safe. */
final class StatementCounts implements Probe {
    private final ServerList.Observed server;
    private final ServerLink link;
    private final String query;
    private @Nullable Entries before;
    private @Nullable Entries after;

    /** @param plans describes what the run's statements look like on the servers that hold the data */
    StatementCounts(ServerList.Observed server, ServerLink link, Plans plans, TableName table) {
        this.server = server;
        this.link = link;
        String named = plans.onNodes(table);
        this.query = named.isEmpty() || !server.holdsData() ? "" : Entries.query(named, plans.uncounted());
    }

    /** Whether this server counts the statements. */
    boolean isAsked() {
        return !query.isEmpty();
    }

    @Override
    public void start() {
        before = read();
    }

    @Override
    public void loadEnds() {
        after = read();
    }

    /**
     * The difference; null if the server does not count, does not answer, or was restarted.
     *
     * @param areWithoutText whether the run's statements have no text but a transaction
     */
    @Nullable
    NodeStatements counted(boolean areWithoutText) {
        Entries then = before;
        Entries now = after;
        if (then == null || now == null) {
            return null;
        }
        if (now.wasResetSince(then)) {
            link.noteOfNode(
                    now.full()
                            ? "pg_stat_statements of %s is full and dropped entries of the run's statements: not"
                                    + " compared (a larger pg_stat_statements.max counts all)"
                            : "%s reset its statement counters during the run (possibly by a restart): not compared");
            return null;
        }
        long twoPhase = now.twoPhaseSince(then);
        boolean isLeast = now.full() && twoPhase > 0;
        if (isLeast) {
            link.noteOfNode("pg_stat_statements of %s is full and drops entries; each two-phase commit is an entry:"
                    + " there were more of those than reported (a larger pg_stat_statements.max counts all)");
            if (areWithoutText) {
                return null;
            }
        }
        long withoutText = areWithoutText ? Math.max(0, now.uncountedSince(then) - twoPhase) : 0;
        return new NodeStatements(
                server.name(),
                server.role(),
                now.namedSince(then) + withoutText,
                twoPhase,
                isLeast,
                now.textsSince(then));
    }

    private @Nullable Entries read() {
        if (query.isEmpty()) {
            return null;
        }
        try {
            return Entries.read(link.open(), query);
        } catch (SQLException e) {
            StatementsView.failed(link, e);
            return null;
        }
    }

    /** {@link StatementPlans} compares the {@link #counted} statements with the plans. */
    @Override
    public void contribute(Findings findings) {}

    /**
     * The counts of the run's statements in a server's {@code pg_stat_statements} at one moment, by query id. When it is full,
     * it drops rarely used entries, so a sum may decrease. Each two-phase commit is an entry of its own,
     * because its text contains its name.
     *
     * @param named statements recognized by their text
     * @param twoPhase preparations of two-phase commits
     * @param uncounted transactions, each with one more statement that has no text
     * @param texts the beginning of the texts of {@code named}
     * @param full whether entries have been or will soon be dropped
     */
    record Entries(
            Map<Long, Long> named,
            Map<Long, Long> twoPhase,
            Map<Long, Long> uncounted,
            Map<Long, String> texts,
            boolean full) {
        /** Long numbers, which only distinguish shards. */
        private static final Pattern NUMBER = Pattern.compile("\\d{5,}");

        private static final String ENTRIES = """
            select queryid, kind, sum(calls), min(left(query, 150)),
                   (select count(*) from {view}) > 0.9 * current_setting('pg_stat_statements.max')::int
            from (select queryid, calls, query,
                         case when NAMED then 'named' when query ~ '^PREPARE TRANSACTION' then 'two-phase'
                              when UNCOUNTED then 'uncounted' end kind
                  from {view}
                  where dbid = (select oid from pg_database where datname = current_database())) entry
            where kind is not null and queryid is not null group by 1, 2
            """;

        /** The query for {@link #read}; the conditions are those of {@link io.pgstress.target.dialect.Plans}. */
        static String query(String named, String uncounted) {
            return ENTRIES.replaceFirst(
                            "UNCOUNTED", Matcher.quoteReplacement(uncounted.isEmpty() ? "false" : uncounted))
                    .replaceFirst("NAMED", Matcher.quoteReplacement(named));
        }

        /** Asks the server. */
        static Entries read(Connection connection, String query) throws SQLException {
            Map<Long, Long> named = new HashMap<>();
            Map<Long, Long> twoPhase = new HashMap<>();
            Map<Long, Long> uncounted = new HashMap<>();
            Map<Long, String> texts = new HashMap<>();
            boolean full = false;
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery(query.replace("{view}", StatementsView.name(connection)))) {
                while (rows.next()) {
                    Map<Long, Long> into = switch (rows.getString(2)) {
                        case "named" -> named;
                        case "two-phase" -> twoPhase;
                        default -> uncounted;
                    };
                    into.merge(rows.getLong(1), rows.getLong(3), Long::sum);
                    if (into == named) {
                        texts.put(rows.getLong(1), rows.getString(4));
                    }
                    full |= rows.getBoolean(5);
                }
            }
            return new Entries(named, twoPhase, uncounted, texts, full);
        }

        /** Whether the counts were reset since then, for example by a restart. */
        boolean wasResetSince(Entries before) {
            return wentDown(before.named, named) || wentDown(before.uncounted, uncounted);
        }

        private static boolean wentDown(Map<Long, Long> before, Map<Long, Long> after) {
            return after.entrySet().stream().anyMatch(e -> e.getValue() < before.getOrDefault(e.getKey(), 0L));
        }

        long namedSince(Entries before) {
            return sum(before.named, named);
        }

        /** The increase per text, with shard numbers removed. */
        Map<String, Long> textsSince(Entries before) {
            Map<String, Long> all = new TreeMap<>();
            named.forEach((id, calls) -> {
                long since = calls - before.named.getOrDefault(id, 0L);
                if (since > 0) {
                    String text =
                            texts.getOrDefault(id, "").replaceAll("\\s+", " ").trim();
                    all.merge(NUMBER.matcher(text).replaceAll("#"), since, Long::sum);
                }
            });
            return all;
        }

        /** The increase of two-phase commits; a lower bound if {@link #full}. */
        long twoPhaseSince(Entries before) {
            return sum(before.twoPhase, twoPhase);
        }

        long uncountedSince(Entries before) {
            return sum(before.uncounted, uncounted);
        }

        private static long sum(Map<Long, Long> before, Map<Long, Long> after) {
            return after.entrySet().stream()
                    .mapToLong(e -> Math.max(0, e.getValue() - before.getOrDefault(e.getKey(), 0L)))
                    .sum();
        }
    }
}
