package io.pgstress.probe.server;

import io.pgstress.plan.TableName;
import io.pgstress.result.Explained.NodeStatements;
import io.pgstress.result.RemarkCode;
import io.pgstress.runner.Findings;
import io.pgstress.target.dialect.Plans;
import io.pgstress.target.driver.ControlSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A server's counts of the run's statements before and after the run, if it holds the data. Not thread-safe. */
public final class StatementCounts implements ServerPart {
    private final ServerList.ObservedServer server;
    private final ServerLink link;
    private final String query;
    private @Nullable Reading before;
    private @Nullable Reading after;

    private record Reading(Entries entries, StatementsView.Losses losses) {}

    /** @param plans describes what the run's statements look like on the servers that hold the data */
    public StatementCounts(ServerList.ObservedServer server, ServerLink link, Plans plans, TableName table) {
        this.server = server;
        this.link = link;
        String named = plans.onNodes(table);
        this.query = named.isEmpty() || !server.holdsData() ? "" : Entries.query(named, plans.uncounted());
    }

    /** Whether this server counts the statements. */
    public boolean isAsked() {
        return !query.isEmpty();
    }

    @Override
    public void begin() {
        before = read();
    }

    @Override
    public void end() {
        after = read();
    }

    /**
     * A server's counts.
     *
     * @param twoPhase the transactions it prepared; null if it does not count them or tell them apart (from PostgreSQL 17 on, their
     *     texts are alike)
     */
    public record Counted(NodeStatements node, @Nullable Set<String> twoPhase) {
        /** The number of different transactions that the servers prepared; null if one of the servers cannot tell. */
        public static @Nullable Long twoPhaseCommits(List<Counted> servers) {
            Set<String> all = new HashSet<>();
            for (Counted server : servers) {
                if (server.twoPhase == null) {
                    return null;
                }
                all.addAll(server.twoPhase);
            }
            return (long) all.size();
        }
    }

    /**
     * The difference; null if the server does not count, does not answer, or was restarted.
     *
     * @param areWithoutText whether the run's statements have no text but a transaction
     */
    public @Nullable Counted counted(boolean areWithoutText) {
        Reading first = before;
        Reading last = after;
        if (first == null || last == null) {
            return null;
        }
        Entries then = first.entries;
        Entries now = last.entries;
        if (last.losses.wereAllResetSince(first.losses) || now.wasResetSince(then)) {
            link.noteOfNode((now.full() ? RemarkCode.STATEMENTS_DROPPED : RemarkCode.STATEMENTS_RESET)
                    .with("servers", link.name())
                    .remark());
            return null;
        }
        long twoPhase = now.since(then, Entries.TWO_PHASE);
        boolean areDropped = now.full() && twoPhase > 0;
        if (areDropped) {
            link.noteOfNode(
                    RemarkCode.TWO_PHASE_AT_LEAST.with("servers", link.name()).remark());
        }
        boolean isLeast = areDropped || !now.countsCommands();
        if (isLeast && areWithoutText) {
            return null;
        }
        long withoutText = areWithoutText ? Math.max(0, now.since(then, Entries.UNCOUNTED) - twoPhase) : 0;
        return new Counted(
                new NodeStatements(
                        server.name(),
                        server.role(),
                        now.since(then, Entries.NAMED) + withoutText,
                        twoPhase,
                        isLeast,
                        now.textsSince(then)),
                now.preparedSince(then));
    }

    private @Nullable Reading read() {
        if (query.isEmpty()) {
            return null;
        }
        try {
            Reading all = new Reading(Entries.read(link.open(), query), StatementsView.losses(link.open()));
            return StatementsView.isTracking(link) ? all : null;
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
     * it drops rarely used entries, so a sum may decrease. Up to PostgreSQL 16, each prepared transaction is
     * an entry of its own, because its text contains its name.
     *
     * @param byKind statements recognized by their text; preparations of two-phase commits; and transactions with one more statement
     *     that has no text
     * @param full whether entries have been or will soon be dropped
     * @param countsCommands whether commands are counted, such as PREPARE TRANSACTION and BEGIN: {@code
     *     pg_stat_statements.track_utility}
     */
    record Entries(Map<String, Map<Long, Entry>> byKind, boolean full, boolean countsCommands) {
        static final String NAMED = "named";
        static final String TWO_PHASE = "two-phase";
        static final String UNCOUNTED = "uncounted";

        /** @param text the beginning of the statement */
        record Entry(long calls, String text) {
            static final Entry NONE = new Entry(0, "");
        }

        /** Long numbers, which only distinguish shards. */
        private static final Pattern NUMBER = Pattern.compile("\\d{5,}");

        /** A transaction's name. Citus adds the number of the connection, one of those that prepare the same transaction. */
        private static final Pattern TRANSACTION = Pattern.compile("'(citus(?:_\\d+){3}(?=_\\d+')|[^']+)");

        private static final String ENTRIES = """
            select queryid, kind, sum(calls), min(left(query, 150)),
                   (select count(*) from {view}) > 0.9 * current_setting('pg_stat_statements.max')::int,
                   current_setting('pg_stat_statements.track_utility') = 'on'
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
            Map<String, Map<Long, Entry>> byKind = new HashMap<>();
            List<Entries> rows =
                    ControlSql.rows(connection, query.replace("{view}", StatementsView.name(connection)), row -> {
                        byKind.computeIfAbsent(row.getString(2), kind -> new HashMap<>())
                                .put(row.getLong(1), new Entry(row.getLong(3), row.getString(4)));
                        return new Entries(byKind, row.getBoolean(5), row.getBoolean(6));
                    });
            return rows.isEmpty() ? new Entries(byKind, false, true) : rows.get(0);
        }

        private Map<Long, Entry> of(String kind) {
            return byKind.getOrDefault(kind, Map.of());
        }

        /** Whether the counts were reset since then, for example by a restart. */
        boolean wasResetSince(Entries before) {
            return Stream.of(NAMED, UNCOUNTED)
                    .anyMatch(kind -> of(kind).keySet().stream().anyMatch(id -> since(before, kind, id) < 0));
        }

        private long since(Entries before, String kind, long id) {
            return of(kind).getOrDefault(id, Entry.NONE).calls - before.of(kind).getOrDefault(id, Entry.NONE).calls;
        }

        /** The increase of the calls of a kind; a lower bound if {@link #full}. */
        long since(Entries before, String kind) {
            return of(kind).keySet().stream()
                    .mapToLong(id -> Math.max(0, since(before, kind, id)))
                    .sum();
        }

        /** The transactions that were prepared since then, each once; null if they are not counted, or their texts do not tell them apart. */
        @Nullable
        Set<String> preparedSince(Entries before) {
            if (!countsCommands) {
                return null;
            }
            Set<String> names = new HashSet<>();
            for (Map.Entry<Long, Entry> entry : of(TWO_PHASE).entrySet()) {
                if (since(before, TWO_PHASE, entry.getKey()) > 0) {
                    Matcher name = TRANSACTION.matcher(entry.getValue().text);
                    if (!name.find()) {
                        return null;
                    }
                    names.add(name.group(1));
                }
            }
            return names;
        }

        /** The increase of named statements per text, with shard numbers removed. */
        Map<String, Long> textsSince(Entries before) {
            Map<String, Long> all = new TreeMap<>();
            of(NAMED).forEach((id, entry) -> {
                long since = since(before, NAMED, id);
                if (since > 0) {
                    String text = entry.text.replaceAll("\\s+", " ").trim();
                    all.merge(NUMBER.matcher(text).replaceAll("#"), since, Long::sum);
                }
            });
            return all;
        }
    }
}
