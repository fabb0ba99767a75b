package io.pgstress.probe;

import io.pgstress.result.Remark;
import io.pgstress.result.ServerProfile.IoCounts;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a server did during the measurement beside the load: checkpoints, automatic vacuums, and its I/O by kind of process. Read by
 * one statement at the start of the measurement and one at its end. Not thread-safe.
 */
final class MeasuredCounters {
    private static final int IO_SINCE = 16;
    private static final int CHECKPOINTER_SINCE = 17;

    /** A row per counter; values that are not numbers, such as times of resets, are left out. */
    private static final String NUMBERS = """
        select '%1$s', %2$s, key, value from %3$s s, jsonb_each_text(to_jsonb(s)) where value ~ '^[0-9.]+$' and key <> 'op_bytes'
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

    private final ServerList.Observed server;
    private final ServerLink link;
    private volatile @Nullable Reading before;
    private volatile @Nullable Reading after;

    MeasuredCounters(ServerList.Observed server, ServerLink link) {
        this.server = server;
        this.link = link;
    }

    void start() {
        after = null;
        before = read("");
    }

    void end() {
        if (before != null) {
            after = read(VACUUMED);
        }
    }

    private @Nullable Reading read(String more) {
        try (Statement statement = link.open().createStatement();
                ResultSet rows = statement.executeQuery(sql(statement.getConnection()) + CLOCK + more)) {
            Map<String, Map<String, Map<String, Double>>> all = new TreeMap<>();
            while (rows.next()) {
                all.computeIfAbsent(rows.getString(1), k -> new TreeMap<>())
                        .computeIfAbsent(rows.getString(2), k -> new TreeMap<>())
                        .put(rows.getString(3), Double.valueOf(rows.getString(4)));
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

    /** Adds the changes. */
    void addTo(Map<String, Double> checkpointer, List<IoCounts> io) {
        Reading start = before;
        Reading end = after;
        if (start == null || end == null) {
            return;
        }
        Deltas.add(
                checkpointer,
                start.single("checkpointer"),
                end.single("checkpointer"),
                "counters of checkpoints of " + server.name(),
                link::note);
        end.of("io").forEach((row, counts) -> {
            Map<String, Double> changes = new TreeMap<>();
            Map<String, Double> then = start.of("io").getOrDefault(row, Map.of());
            counts.forEach((name, value) -> changes.put(name, value - then.getOrDefault(name, 0.0)));
            changes.values().removeIf(change -> change <= 0);
            if (!changes.isEmpty()) {
                String[] key = row.split("/", -1);
                io.add(new IoCounts(server.name(), key[0], key[1], key[2], changes));
            }
        });
    }

    /**
     * Warnings about what disturbed the measurement.
     *
     * @param requestsCheckpoints whether the load itself requests checkpoints
     */
    List<Remark> disturbances(boolean requestsCheckpoints) {
        Reading start = before;
        Reading end = after;
        return start == null || end == null
                ? List.of()
                : Disturbances.between(start, end, server.name(), requestsCheckpoints);
    }
}
