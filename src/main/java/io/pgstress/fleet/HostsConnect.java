package io.pgstress.fleet;

import io.pgstress.dataset.Keys;
import io.pgstress.runner.RunContext;
import io.pgstress.runner.Stop;
import io.pgstress.target.driver.TargetException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Waits until the clients of all hosts have connected, and checks that the hosts fit together. */
final class HostsConnect {
    private static final long LOOK_MILLIS = 20;
    private static final long MAX_CONNECT_NANOS = TimeUnit.SECONDS.toNanos(120);

    private final RunContext run;
    private final RemoteHosts hosts;
    private final int mayBeLost;

    HostsConnect(RunContext run, RemoteHosts hosts, int mayBeLost) {
        this.run = run;
        this.hosts = hosts;
        this.mayBeLost = mayBeLost;
    }

    /** @throws TargetException if the load cannot begin */
    void await() throws InterruptedException {
        long end = System.nanoTime() + MAX_CONNECT_NANOS;
        for (List<RemoteHost> missing = missing(); !missing.isEmpty(); missing = missing()) {
            checkLost();
            Stop.Reason reason = run.course().stop().reason();
            if (reason != null) {
                throw new TargetException(reason.text() + " before the hosts' clients were connected");
            }
            if (System.nanoTime() > end) {
                throw new TargetException("the clients of these hosts did not connect within 2 minutes: "
                        + missing.stream().map(RemoteHost::name).collect(Collectors.joining(", ")));
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
        checkLost();
        checkIds();
    }

    private List<RemoteHost> missing() {
        return hosts.active().stream().filter(host -> host.ready() == null).toList();
    }

    /** Too few hosts before the load are no test: nothing is lost if it does not begin. */
    private void checkLost() {
        List<RemoteHost> lost =
                hosts.all().stream().filter(host -> host.lost() != null).toList();
        for (RemoteHost host : lost) {
            if (host.hasRefused()) {
                throw new TargetException("host " + host.name() + ": " + host.lost());
            }
            if (lost.size() > mayBeLost) {
                throw new TargetException("host " + host.name() + " was lost before the load: " + host.lost());
            }
        }
    }

    /** All hosts draw from the same ids in the same order, or they would use some of them twice. */
    private void checkIds() {
        Keys own = run.table().keys();
        long checksum = own.checksum();
        for (RemoteHost host : hosts.active()) {
            Message.Ready ready = Objects.requireNonNull(host.ready());
            if (ready.ids() != own.size()) {
                throw new TargetException("host " + host.name() + " read " + ready.ids() + " ids from table "
                        + run.table().name() + ", this one " + own.size() + ": do they use the same database?");
            }
            if (ready.checksum() != checksum) {
                throw new TargetException("host " + host.name() + " read other ids from table "
                        + run.table().name() + " than this one: do they use the same database?");
            }
        }
    }
}
