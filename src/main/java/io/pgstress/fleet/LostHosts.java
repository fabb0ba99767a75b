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
import io.pgstress.target.loop.Daemons;
import io.pgstress.text.Quoting;
import io.pgstress.text.Rounded;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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

    /** Time limit for the sessions on all servers: a server that takes as long to connect, and then does not answer, takes it up. */
    static final long MAX_MILLIS = TimeUnit.SECONDS.toMillis(2 * MAX_SECONDS);

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

    /**
     * Ends the sessions of lost hosts on all servers at the same time; says which of them may still write.
     *
     * @param maxMillis time limit for all of it, after which the servers that have not answered are among these
     */
    List<Remark> endSessions(Target target, long maxMillis) {
        List<LostAt> all = IntStream.range(0, target.nodes().size())
                .mapToObj(n -> new LostAt(
                        target.nodes().get(n),
                        lost().stream()
                                .filter(host -> host.work().nodes().contains(n))
                                .toList()))
                .filter(one -> !one.hosts.isEmpty())
                .toList();
        ExecutorService threads = Executors.newCachedThreadPool(Daemons.named("lost-hosts"));
        try {
            List<Future<List<Remark>>> ended = threads.invokeAll(
                    all.stream()
                            .<Callable<List<Remark>>>map(one -> one::endSessions)
                            .toList(),
                    maxMillis,
                    TimeUnit.MILLISECONDS);
            List<Remark> remarks = new ArrayList<>();
            for (int i = 0; i < all.size(); i++) {
                remarks.addAll(
                        ended.get(i).isCancelled()
                                ? all.get(i).mayWrite(Rounded.format("no answer within %.0f s", maxMillis / 1e3))
                                : ended.get(i).get());
            }
            return remarks;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return all.stream()
                    .flatMap(one -> one.mayWrite("interrupted").stream())
                    .toList();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    /** Lost hosts whose clients use a server. */
    private record LostAt(Node node, List<RemoteHost> hosts) {
        List<Remark> endSessions() {
            if (node.access().sharesSessions() || node.access().hasSeveralServers()) {
                return mayWrite("the way to the server leads through a pooler or to several servers");
            }
            try (Connection control = node.connector().open(SessionPurpose.LOOKUP.within(MAX_SECONDS, MAX_SECONDS))) {
                String refused = null;
                try {
                    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(MAX_SECONDS);
                    while (ControlSql.number(control, "select count(pg_terminate_backend(pid))" + of(hosts)) > 0
                            && System.nanoTime() < until
                            && !Thread.currentThread().isInterrupted()) {
                        LockSupport.parkNanos(LOOK_NANOS);
                    }
                } catch (SQLException e) {
                    refused = ServerErrors.sampleOf(e);
                }
                List<Remark> remarks = new ArrayList<>();
                for (RemoteHost host : hosts) {
                    long remaining = ControlSql.number(control, "select count(*)" + of(List.of(host)));
                    if (remaining > 0) {
                        remarks.add(remark(host, node, remaining, refused));
                    }
                }
                return remarks;
            } catch (SQLException e) {
                return mayWrite(ServerErrors.sampleOf(e));
            }
        }

        private static String of(List<RemoteHost> hosts) {
            return hosts.stream()
                    .map(host -> Quoting.literal(host.work().sessions()))
                    .collect(Collectors.joining(", ", " from pg_stat_activity where application_name in (", ")"));
        }

        /** How many sessions they have is unknown. */
        List<Remark> mayWrite(String why) {
            return hosts.stream().map(host -> remark(host, node, null, why)).toList();
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
