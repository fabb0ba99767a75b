package io.pgstress.fleet;

import io.pgstress.fleet.RemoteHost.RemoteHosts;
import io.pgstress.measure.NanoClock;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.target.Node;
import io.pgstress.target.Target;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.text.Quoting;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes sure that lost hosts write nothing more, before the tables are reset or checked. A lost host may go on: it may only be cut off
 * from the command, or have been stopped for a while. Two things end its writing. It begins no operation after its {@linkplain
 * Message.Lease lease}; and the servers end its sessions, so that a statement that it has begun, or sends late, has no effect.
 */
record LostHosts(RemoteHosts hosts, NanoClock clock, LongConsumer sleepUntil) {
    /** Allowed for the difference of two clocks, and for the time from a look at the clock to the statement. */
    private static final long MARGIN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** Time limit for connecting to a server, for its answer, and for its sessions to end. */
    private static final int MAX_SECONDS = 5;

    private List<RemoteHost> lost() {
        return hosts.all().stream().filter(host -> host.lost() != null).toList();
    }

    /**
     * Waits until no lost host begins an operation any more. One that has refused to go on begins none.
     *
     * @param isOver whether not to wait any longer
     * @return whether that is so
     */
    boolean await(BooleanSupplier isOver) {
        for (long left = leftNanos(); left > 0; left = leftNanos()) {
            if (isOver.getAsBoolean() || Thread.currentThread().isInterrupted()) {
                return false;
            }
            sleepUntil.accept(clock.nanoTime() + Math.min(LOOK_NANOS, left));
        }
        return true;
    }

    private long leftNanos() {
        long now = clock.nanoTime();
        return lost().stream()
                .filter(host -> !host.hasRefused())
                .mapToLong(host -> leftNanos(host.leased(), now))
                .max()
                .orElse(0);
    }

    private static long leftNanos(@Nullable Long leased, long now) {
        return leased == null ? 0 : leased + Message.Lease.NANOS + MARGIN_NANOS - now;
    }

    /** Ends the sessions of lost hosts on all servers; says which of them may still write. */
    List<Remark> endSessions(Target target) {
        List<Remark> remarks = new ArrayList<>();
        for (int n = 0; n < target.nodes().size(); n++) {
            for (RemoteHost host : lost()) {
                if (host.work().nodes().contains(n)) {
                    endSessions(host, target.nodes().get(n), remarks);
                }
            }
        }
        return remarks;
    }

    private static void endSessions(RemoteHost host, Node node, List<Remark> remarks) {
        if (node.access().sharesSessions() || node.access().hasSeveralServers()) {
            remarks.add(remark(host, node, null, "the way to the server leads through a pooler or to several servers"));
            return;
        }
        String ofHost = " from pg_stat_activity where application_name = "
                + Quoting.literal(host.work().sessions());
        try (Connection control = node.connector().open(SessionPurpose.LOOKUP.within(MAX_SECONDS, MAX_SECONDS))) {
            String refused = null;
            try {
                long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(MAX_SECONDS);
                while (ControlSql.number(control, "select count(pg_terminate_backend(pid))" + ofHost) > 0
                        && System.nanoTime() < until) {
                    LockSupport.parkNanos(LOOK_NANOS);
                }
            } catch (SQLException e) {
                refused = ServerErrors.sampleOf(e);
            }
            long remaining = ControlSql.number(control, "select count(*)" + ofHost);
            if (remaining > 0) {
                remarks.add(remark(host, node, remaining, refused));
            }
        } catch (SQLException e) {
            remarks.add(remark(host, node, null, ServerErrors.sampleOf(e)));
        }
    }

    private static Remark remark(RemoteHost host, Node node, @Nullable Long sessions, @Nullable String why) {
        return RemarkCode.LOST_HOST_MAY_WRITE
                .with("host", host.name())
                .with("url", node.url())
                .with("sessions", sessions)
                .with("why", why)
                .remark();
    }
}
