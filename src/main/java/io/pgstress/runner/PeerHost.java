package io.pgstress.runner;

import io.pgstress.result.ServerProfile.HostProfile;
import io.pgstress.result.ServerProfile.HostSample;
import io.pgstress.target.ClusterNode;
import io.pgstress.target.driver.ServerErrors;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the machine of a server did, by its own word. Not thread-safe but for {@link #loadAverage}. */
final class PeerHost {
    private final ClusterNode peer;
    private final PeerLink link;
    private final HostReader reader;
    private final List<HostSample> samples = new ArrayList<>();
    private @Nullable HostCounters first;
    private volatile @Nullable HostCounters last;
    private boolean readable = true;

    PeerHost(ClusterNode peer, PeerLink link) {
        this.peer = peer;
        this.link = link;
        this.reader = new HostReader(peer.local());
    }

    /** Its figures count from now on. */
    void start() {
        HostCounters now = read();
        first = now == null ? first : now;
        last = first;
        samples.clear();
    }

    /** Takes a sample; false where the server did not answer at all. */
    boolean look(long origin) {
        HostCounters now = readable ? read() : null;
        if (now == null && !link.answers()) {
            return false;
        }
        HostCounters then = last;
        if (now != null && then != null) {
            HostSample sample = now.since(then, origin);
            if (sample != null) {
                samples.add(sample);
            }
        }
        last = now == null ? then : now;
        return true;
    }

    private @Nullable HostCounters read() {
        if (!readable) {
            return null;
        }
        try {
            return reader.read(link.open());
        } catch (SQLException e) {
            readable = !ServerErrors.sessionIsAlive(e);
            link.failed("/proc", e);
        } catch (IllegalArgumentException e) {
            readable = false;
            link.note("/proc of " + peer.name() + " not readable: " + e.getMessage());
        }
        return null;
    }

    /** All of it since the start; null where the machine does not tell. Nothing is read afterwards. */
    @Nullable
    HostProfile profile(long origin) throws SQLException {
        Connection open = link.ifOpen();
        if (open != null && readable) {
            reader.tidy(open);
        }
        HostCounters start = first;
        HostCounters end = last;
        HostSample all = start == null || end == null ? null : end.since(start, origin);
        return all == null
                ? null
                : new HostProfile(
                        peer.name(),
                        peer.role(),
                        all.cpuBusy(),
                        all.loadAverage(),
                        all.inMbitPerSecond(),
                        all.outMbitPerSecond(),
                        all.diskWriteMbPerSecond(),
                        List.copyOf(samples));
    }

    /** Of the last sample; null where it did not tell. */
    @Nullable
    Double loadAverage() {
        HostCounters end = last;
        return end == null ? null : end.loadAverage();
    }
}
