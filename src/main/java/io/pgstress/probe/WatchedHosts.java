package io.pgstress.probe;

import io.pgstress.plan.RunOptions;
import io.pgstress.probe.machine.MachineFiles;
import io.pgstress.probe.machine.MachineHistory;
import io.pgstress.probe.machine.RemoteShell;
import io.pgstress.result.ServerProfile.HostProfile;
import io.pgstress.runner.Findings;
import io.pgstress.runner.Probe;
import io.pgstress.runner.RunContext;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Observes the machines of {@code --watch-host}, which run no server that could be asked, such as a GTM's. */
public final class WatchedHosts implements Probe {
    private static final long SAMPLE_NANOS = 2_000_000_000L;
    private static final long MAX_SECONDS = 10;

    /** A machine, asked on a thread of its own. */
    private static final List<String> SSH = List.of("ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=5");

    private final class Host {
        private final String name;
        private final MachineHistory history;
        private final RemoteShell shell;
        private final Bounded asking = new Bounded(MAX_SECONDS);
        private final AtomicBoolean isReading = new AtomicBoolean();
        private Bounded.@Nullable Question<Boolean> open;
        private volatile String failure = "";

        private Host(String name) {
            this.name = name;
            this.history = new MachineHistory(name, "", false);
            this.shell = new RemoteShell(SSH, name);
        }

        private void sample() {
            if (isReading.compareAndSet(false, true)) {
                asking.tell(() -> {
                    try {
                        read(MachineHistory.files());
                    } finally {
                        isReading.set(false);
                    }
                });
            }
        }

        private boolean read(List<String> paths) {
            if (!failure.isEmpty()) {
                return false;
            }
            try {
                MachineFiles files = shell.read(paths);
                long now = System.nanoTime();
                history.add(files, now, run.timeline().sinceStart(now) / 1e9);
                if (!history.hasEnvironment()) {
                    history.environment(shell.read(MachineHistory.environmentFiles(files)), null);
                }
                return true;
            } catch (IOException | IllegalArgumentException e) {
                failure = String.valueOf(e.getMessage());
                return false;
            }
        }
    }

    private final RunContext run;
    private final List<Host> hosts;
    private long nextSample;

    public WatchedHosts(RunContext run) {
        this.run = run;
        this.hosts =
                run.spec().get(RunOptions.WATCH_HOST).stream().map(Host::new).toList();
    }

    @Override
    public void start() throws InterruptedException {
        hosts.forEach(host -> host.open = host.asking.begin(() -> host.read(MachineHistory.filesOfTotals())));
        for (Host host : hosts) {
            Bounded.Question<Boolean> asked = host.open;
            if (asked != null && !asked.orElse(false)) {
                run.warn("--watch-host " + host.name + " cannot be read: "
                        + (host.failure.isEmpty() ? "no answer within " + MAX_SECONDS + " s" : host.failure));
            }
        }
    }

    @Override
    public void measureStarts() {
        nextSample = System.nanoTime() + SAMPLE_NANOS;
        for (Host host : hosts) {
            host.asking.tell(() -> {
                host.history.restart();
                if (!host.read(MachineHistory.filesOfTotals())) {
                    host.history.keepLast();
                }
            });
        }
    }

    @Override
    public void sample(long now) {
        if (now >= nextSample) {
            nextSample = now + SAMPLE_NANOS;
            hosts.forEach(Host::sample);
        }
    }

    @Override
    public void measureEnds() {
        hosts.forEach(host -> host.asking.tell(() -> {
            host.read(MachineHistory.filesOfTotals());
            host.history.measureEnds();
        }));
    }

    @Override
    public void contribute(Findings findings) throws InterruptedException {
        for (Host host : hosts) {
            host.asking.ask(() -> true, false); // after the readings asked for so far
            HostProfile profile = host.history.profile(findings.measureStart());
            if (profile == null) {
                findings.unobserved(host.name);
            } else {
                findings.machine(profile);
            }
            if (!host.failure.isEmpty() || profile == null) {
                findings.note("--watch-host " + host.name + " not readable: "
                        + (host.failure.isEmpty() ? "no answer" : host.failure));
            }
        }
    }

    @Override
    public void hurry() {
        hosts.forEach(host -> host.asking.hurry());
    }

    @Override
    public void close() {
        hosts.forEach(host -> {
            host.shell.close();
            host.asking.close();
        });
    }
}
