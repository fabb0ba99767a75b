package io.pgstress.probe;

import io.pgstress.target.driver.ServerErrors;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;

/** Samples of what the load's sessions wait for. One thread samples; any thread may read. */
final class WaitSamples {
    private final ServerLink link;

    /** Guarded by itself: the sampling thread may continue after the run has stopped waiting for it. */
    private final Map<String, Long> waits = new TreeMap<>();

    /** Whether the server denies access, so that it is not asked again; used by the sampling thread only. */
    private boolean isRefused;

    WaitSamples(ServerLink link) {
        this.link = link;
    }

    void sample() {
        if (isRefused) {
            return;
        }
        try (Statement statement = link.open().createStatement();
                ResultSet rows = statement.executeQuery(ServerCounters.ACTIVITY)) {
            while (rows.next()) {
                synchronized (waits) {
                    waits.merge(rows.getString(1), rows.getLong(2), Long::sum);
                }
            }
        } catch (SQLException e) {
            isRefused = ServerErrors.sessionIsAlive(e);
            link.failed("wait events", e);
        }
    }

    /** Adds how often sessions were seen waiting for each event. */
    void addTo(Map<String, Long> all) {
        synchronized (waits) {
            waits.forEach((event, seen) -> all.merge(event, seen, Long::sum));
        }
    }
}
