package io.pgstress.probe.server;

import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.ServerCounts;
import io.pgstress.result.ServerCounts.IoCounts;
import io.pgstress.runner.Findings;
import io.pgstress.target.driver.ControlSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a server did during the measurement beside the load: checkpoints, automatic vacuums, and its I/O by kind of process. Read by
 * one statement at the start of the measurement and one at its end. Not thread-safe.
 */
public final class MeasuredCounters implements ServerPart {
    private static final int IO_SINCE = 16;
    private static final int CHECKPOINTER_SINCE = 17;

    /** A row per counter, without values that are not numbers, such as times of resets. */
    private static final String NUMBERS = """
        select '%1$s', %2$s, key, value from %3$s s, json_each_text(row_to_json(s)) where value ~ '^[0-9.]+$' and key <> 'op_bytes'
        """;

    /** The time, and the tables that autovacuum works on, without those of other databases and of the system. */
    private static final String CLOCK = """
        union all select 'clock', '', 'now', extract(epoch from clock_timestamp())::text
        union all select 'vacuum', name, 'running', '1'
        from (select regexp_replace(query, '^autovacuum: (VACUUM ANALYZE|VACUUM|ANALYZE|BRIN summarize) '
                                           '| [(]to prevent wraparound[)]$', '', 'g') as name
              from pg_stat_activity where query like 'autovacuum: %' and datname = current_database()) worker
        where name !~ '^(pg_catalog|pg_toast[^.]*|information_schema)[.]'
        """;

    private static final String VACUUMED = """
        union all select 'vacuum', schemaname || '.' || relname, 'at',
               extract(epoch from greatest(last_autovacuum, last_autoanalyze))::text
        from pg_stat_user_tables where greatest(last_autovacuum, last_autoanalyze) > now() - interval '2 days'
        """;

    /** The values at one time, by kind, row and name. */
    record Reading(Map<String, Map<String, Map<String, Double>>> byKind) {
        Map<String, Map<String, Double>> of(String kind) {
            return byKind.getOrDefault(kind, Map.of());
        }

        Map<String, Double> single(String kind) {
            return of(kind).getOrDefault("", Map.of());
        }
    }

    /** More of them are regular. */
    private static final long MAX_CHECKPOINTS = 2;

    private static final int MAX_TABLES = 3;

    /** Of {@code pg_stat_checkpointer}, and before PostgreSQL 17 of {@code pg_stat_bgwriter}. */
    private static final String CHECKPOINTS = "num_timed|num_requested|checkpoints_timed|checkpoints_req";

    private static final String WRITTEN_BUFFERS = "buffers_written|buffers_checkpoint";

    private final String server;
    private final ServerLink link;
    private final boolean requestsCheckpoints;
    private volatile @Nullable CounterScope scope;
    private volatile @Nullable Reading before;
    private volatile @Nullable Reading after;

    /** @param requestsCheckpoints whether the load itself requests checkpoints, which then are part of it */
    public MeasuredCounters(ServerLink link, boolean requestsCheckpoints) {
        this.server = link.name();
        this.link = link;
        this.requestsCheckpoints = requestsCheckpoints;
    }

    @Override
    public void begin() {
        after = null;
        before = read("");
    }

    @Override
    public void end() {
        if (before != null) {
            after = read(VACUUMED);
        }
    }

    private @Nullable Reading read(String more) {
        try {
            Map<String, Map<String, Map<String, Double>>> all = new TreeMap<>();
            ControlSql.rows(
                    link.open(),
                    sql(link.open()) + CLOCK + more,
                    row -> all.computeIfAbsent(row.getString(1), k -> new TreeMap<>())
                            .computeIfAbsent(row.getString(2), k -> new TreeMap<>())
                            .put(row.getString(3), Double.valueOf(row.getString(4))));
            if (scope == null) {
                scope = CounterScope.of(link.open());
            }
            return new Reading(all);
        } catch (SQLException e) {
            link.failed("checkpoints and I/O", e);
            return null;
        }
    }

    private static String sql(Connection connection) throws SQLException {
        int version = connection.getMetaData().getDatabaseMajorVersion();
        String view = version >= CHECKPOINTER_SINCE ? "pg_stat_checkpointer" : "pg_stat_bgwriter";
        String sql = String.format(Locale.ROOT, NUMBERS, "checkpointer", "''", view);
        return version < IO_SINCE
                ? sql
                : sql + " union all "
                        + String.format(
                                Locale.ROOT,
                                NUMBERS,
                                "io",
                                "concat_ws('/', s.backend_type, s.object, s.context)",
                                "pg_stat_io");
    }

    @Override
    public void contribute(Findings findings) {
        Reading start = before;
        Reading end = after;
        CounterScope of = scope;
        if (start == null || end == null || of == null) {
            return;
        }
        if (findings.counts().isNew("checkpoints and I/O", of.ofServer())) {
            add(findings.counts(), start, end);
        }
        if (findings.counts().isNew("disturbances", of.ofDatabase())) {
            disturbances().forEach(findings.evidence()::caution);
        }
    }

    private void add(ServerCounts.Collector counts, Reading start, Reading end) {
        link.addDeltas(
                counts.checkpointer,
                start.single("checkpointer"),
                end.single("checkpointer"),
                "counters of checkpoints of " + server);
        end.of("io").forEach((row, now) -> {
            Map<String, Double> changes = new TreeMap<>();
            Map<String, Double> then = start.of("io").getOrDefault(row, Map.of());
            now.forEach((name, value) -> changes.put(name, value - then.getOrDefault(name, 0.0)));
            changes.values().removeIf(change -> change <= 0);
            if (!changes.isEmpty()) {
                String[] key = row.split("/", -1);
                counts.io.add(new IoCounts(server, key[0], key[1], key[2], changes));
            }
        });
    }

    /** Warnings about what disturbed the measurement. */
    List<Remark> disturbances() {
        Reading start = before;
        Reading end = after;
        return start == null || end == null ? List.of() : disturbances(start, end, server, requestsCheckpoints);
    }

    /** Warnings about a server's own work within a measurement. */
    static List<Remark> disturbances(Reading start, Reading end, String server, boolean requestsCheckpoints) {
        List<Remark> found = new ArrayList<>();
        long checkpoints = requestsCheckpoints ? 0 : growth(CHECKPOINTS, start, end);
        // one that wrote nothing, as on an idle server, disturbed nothing
        if (checkpoints > 0 && checkpoints <= MAX_CHECKPOINTS && growth(WRITTEN_BUFFERS, start, end) > 0) {
            found.add(RemarkCode.CHECKPOINT
                    .with("checkpoints", checkpoints)
                    .with("server", server)
                    .remark());
        }
        Map<String, Map<String, Double>> running = start.of("vacuum");
        Set<String> tables = new TreeSet<>(running.keySet());
        double from = start.single("clock").getOrDefault("now", Double.MAX_VALUE);
        end.of("vacuum").forEach((table, facts) -> {
            if (facts.containsKey("running") || facts.getOrDefault("at", 0.0) > from) {
                tables.add(table);
            }
        });
        if (!tables.isEmpty()) {
            found.add((running.isEmpty() ? RemarkCode.AUTOVACUUM : RemarkCode.AUTOVACUUM_FROM_BEFORE)
                    .with("server", server)
                    .with("tables", names(tables))
                    .remark());
        }
        return found;
    }

    private static long growth(String names, Reading start, Reading end) {
        return Math.round(sum(names, end) - sum(names, start));
    }

    private static double sum(String names, Reading reading) {
        return reading.single("checkpointer").entrySet().stream()
                .filter(counter -> counter.getKey().matches(names))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    private static String names(Set<String> tables) {
        int more = tables.size() - MAX_TABLES;
        return tables.stream().limit(MAX_TABLES).collect(Collectors.joining(", "))
                + (more > 0 ? " and " + more + " more" : "");
    }
}
