package io.pgstress.probe.server;

import io.pgstress.measure.Timeline;
import io.pgstress.result.ServerProfile.HostProfile;
import io.pgstress.result.ServerProfile.HostSample;
import io.pgstress.target.driver.ServerErrors;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Observes a server's machine through its {@code /proc}. Not thread-safe, except {@link #loadAverage}. */
final class HostWatch {
    private final ServerList.Observed server;
    private final ServerLink link;
    private final Timeline timeline;
    private final HostReader reader;
    private final List<HostCounters> readings = new ArrayList<>();
    private volatile @Nullable HostCounters last;
    private boolean isReadable = true;

    HostWatch(ServerList.Observed server, ServerLink link, Timeline timeline) {
        this.server = server;
        this.link = link;
        this.timeline = timeline;
        this.reader = new HostReader(server.local());
    }

    /** Starts the period that the figures cover. */
    void start() {
        HostCounters before = last;
        readings.clear();
        if (!read() && before != null) {
            readings.add(before);
        }
    }

    /** Takes a reading; returns false if the server did not answer. */
    boolean look() {
        return read() || link.answers();
    }

    /** Whether there is a new reading. */
    private boolean read() {
        if (!isReadable) {
            return false;
        }
        try {
            HostCounters now = reader.read(link.open(), timeline);
            readings.add(now);
            last = now;
            return true;
        } catch (SQLException e) {
            isReadable = !ServerErrors.sessionIsAlive(e);
            link.failed("/proc", e);
        } catch (IllegalArgumentException e) {
            isReadable = false;
            link.note("/proc of " + server.name() + " not readable: " + e.getMessage());
        }
        return false;
    }

    /** Removes what the readings left on the server. */
    void tidy() {
        Connection open = link.ifOpen();
        if (open != null && isReadable) {
            try {
                reader.tidy(open);
            } catch (SQLException e) {
                link.failed("/proc", e);
            }
        }
    }

    /**
     * The figures since the start; null if unknown.
     *
     * @param measureStart start of the measurement in seconds since the start of the load
     */
    @Nullable
    HostProfile profile(double measureStart) {
        if (readings.isEmpty()) {
            return null;
        }
        HostSample all = readings.get(readings.size() - 1).since(readings.get(0), measureStart);
        if (all == null) {
            return null;
        }
        List<HostSample> samples = new ArrayList<>();
        for (int i = 1; i < readings.size(); i++) {
            HostSample sample = readings.get(i).since(readings.get(i - 1), measureStart);
            if (sample != null) {
                samples.add(sample);
            }
        }
        return new HostProfile(
                server.name(),
                server.role(),
                all.cpuBusy(),
                all.loadAverage(),
                all.inMbitPerSecond(),
                all.outMbitPerSecond(),
                all.diskWriteMbPerSecond(),
                samples);
    }

    /** The load average at the last reading; null if there was none. */
    @Nullable
    Double loadAverage() {
        HostCounters end = last;
        return end == null ? null : end.loadAverage();
    }
}
