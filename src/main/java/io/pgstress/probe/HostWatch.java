package io.pgstress.probe;

import io.pgstress.measure.Timeline;
import io.pgstress.probe.machine.MachineFiles;
import io.pgstress.probe.machine.MachineHistory;
import io.pgstress.probe.machine.ProcessTicks;
import io.pgstress.result.ServerProfile.HostProfile;
import io.pgstress.target.MissingGrants.ServerRight;
import io.pgstress.target.driver.ServerErrors;
import java.sql.Connection;
import java.sql.SQLException;
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
        if (!read(true)) {
            history.keepLast();
        }
    }

    /** Ends the period of the totals. */
    void end() {
        if (read(true)) {
            history.measureEnds();
        }
    }

    /** Takes a reading; returns false if the server did not answer. */
    boolean look() {
        return read(false) || link.answers();
    }

    /**
     * Whether there is a new reading.
     *
     * @param isForTotals whether it begins or ends the period of the totals
     */
    private boolean read(boolean isForTotals) {
        if (!isReadable) {
            return false;
        }
        try {
            Connection connection = link.open();
            MachineFiles files = isForTotals
                    ? withProcesses(connection, reader.read(connection, MachineHistory.filesOfTotals()))
                    : reader.read(connection, MachineHistory.files());
            long now = System.nanoTime();
            history.add(files, now, timeline.sinceStart(now) / 1e9);
            if (!isEnvironmentRead) {
                readEnvironment(connection, files);
            }
            return true;
        } catch (SQLException e) {
            isReadable = !ServerErrors.sessionIsAlive(e);
            noteUnreadable(e);
        } catch (IllegalArgumentException e) {
            isReadable = false;
            link.note("/proc of " + server.name() + " not readable: " + e.getMessage());
        }
        return false;
    }

    private void noteUnreadable(SQLException e) {
        Connection connection = link.ifOpen();
        if (connection == null || !HostReader.isForbidden(e)) {
            link.failed("/proc", e);
            return;
        }
        try {
            link.missing(ServerRight.READ_FILES, connection);
        } catch (SQLException unknown) {
            link.failed("/proc", e);
        }
    }

    /** Adds the server's own processes. */
    private MachineFiles withProcesses(Connection connection, MachineFiles files) throws SQLException {
        try {
            return files.with(ProcessTicks.PROCESSES, ServerProcesses.read(connection));
        } catch (SQLException e) {
            if (!ServerErrors.sessionIsAlive(e)) {
                throw e;
            }
            link.failed("CPU time of the server's processes", e);
            return files;
        }
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
