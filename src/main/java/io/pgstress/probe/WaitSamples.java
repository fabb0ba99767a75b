package io.pgstress.probe;

import io.pgstress.runner.Findings;
import io.pgstress.runner.Probe;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.ServerErrors;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;

/** Samples of what the load's sessions wait for on a server. One thread samples; any thread may read. */
final class WaitSamples implements Probe {
    /** What the load's sessions are doing, with the number of sessions. */
    private static final String ACTIVITY = """
        select case when state = 'active' and wait_event is null then 'active: on CPU'
                    else coalesce(state, '?') || ': ' || coalesce(wait_event_type || '/' || wait_event, 'nothing') end,
               count(*)
        from pg_stat_activity
        where application_name = 'pgstress' and datname = current_database() group by 1
        """;

    private final ServerLink link;

    /** Guarded by itself: the sampling thread may continue after the run has stopped waiting for it. */
    private final Map<String, Long> waits = new TreeMap<>();

    /** Whether the server denies access, so that it is not asked again; used by the sampling thread only. */
    private boolean isRefused;

    WaitSamples(ServerLink link) {
        this.link = link;
    }

    @Override
    public void sample(long now) {
        if (isRefused) {
            return;
        }
        try {
            Map<String, Long> seen = new TreeMap<>();
            ControlSql.rows(link.open(), ACTIVITY, row -> seen.put(row.getString(1), row.getLong(2)));
            synchronized (waits) {
                seen.forEach((event, sessions) -> waits.merge(event, sessions, Long::sum));
            }
        } catch (SQLException e) {
            isRefused = ServerErrors.sessionIsAlive(e);
            link.failed("wait events", e);
        }
    }

    @Override
    public void contribute(Findings findings) {
        synchronized (waits) {
            waits.forEach((event, count) -> findings.counts().waitEvents.merge(event, count, Long::sum));
        }
    }
}
