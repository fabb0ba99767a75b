package io.pgstress.probe.server;

import io.pgstress.measure.Timeline;
import io.pgstress.probe.machine.MachineFiles;
import io.pgstress.probe.machine.MachineHistory;
import io.pgstress.result.ServerProfile.HostProfile;
import io.pgstress.target.driver.ServerErrors;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Observes a server's machine through its {@code /proc}. Not thread-safe, except {@link #history}. */
final class HostWatch {
    private final ServerList.Observed server;
    private final ServerLink link;
    private final Timeline timeline;
    private final MachineHistory history;
    private final HostReader reader;
    private boolean isReadable = true;
    private boolean isEnvironmentRead;

    HostWatch(ServerList.Observed server, ServerLink link, Timeline timeline) {
        this.server = server;
        this.link = link;
        this.timeline = timeline;
        this.history = new MachineHistory(server.name(), server.role(), server.local());
        this.reader = new HostReader(link);
    }

    /** Starts the period that the figures cover. */
    void start() {
        history.restart();
        if (!read(MachineHistory.filesOfTotals())) {
            history.keepLast();
        }
    }

    /** Ends the period of the totals. */
    void end() {
        if (read(MachineHistory.filesOfTotals())) {
            history.measureEnds();
        }
    }

    /** Takes a reading; returns false if the server did not answer. */
    boolean look() {
        return read(MachineHistory.files()) || link.answers();
    }

    /** Whether there is a new reading. */
    private boolean read(List<String> paths) {
        if (!isReadable) {
            return false;
        }
        try {
            Connection connection = link.open();
            MachineFiles files = reader.read(connection, paths);
            long now = System.nanoTime();
            history.add(files, now, timeline.sinceStart(now) / 1e9);
            if (!isEnvironmentRead) {
                readEnvironment(connection, files);
            }
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

    /** Reads the machine's properties once. */
    private void readEnvironment(Connection connection, MachineFiles counters) throws SQLException {
        try {
            history.environment(reader.readWithSettings(connection, MachineHistory.environmentFiles(counters)), null);
        } catch (SQLException e) {
            if (!ServerErrors.sessionIsAlive(e)) {
                throw e;
            }
            link.failed("machine properties", e);
        }
        isEnvironmentRead = true;
    }

    /** Removes what the readings left on the server. */
    void tidy() {
        Connection open = link.ifOpen();
        if (open != null && isReadable) {
            try {
                HostReader.tidy(open);
            } catch (SQLException e) {
                link.failed("/proc", e);
            }
        }
    }

    /** What was read so far. */
    MachineHistory history() {
        return history;
    }

    /**
     * The figures since the start; null if unknown.
     *
     * @param measureStart start of the measurement in seconds since the start of the load
     */
    @Nullable
    HostProfile profile(double measureStart) {
        return history.profile(measureStart);
    }
}
