package io.pgstress.probe.machine;

import com.sun.management.UnixOperatingSystemMXBean;
import io.pgstress.machine.Environment;
import io.pgstress.result.Remark;
import io.pgstress.result.ServerProfile.HostProfile;
import io.pgstress.runner.Findings;
import io.pgstress.runner.Probe;
import io.pgstress.runner.RunContext;
import io.pgstress.verdict.MachineProblems;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Load and properties of the machine that generates the load, as far as it has a {@code /proc}. */
public final class ClientMachine implements Probe {
    /** As often as the servers' machines are read. */
    private static final long SAMPLE_NANOS = 2_000_000_000L;

    private final RunContext run;
    private final MachineHistory history;
    private final List<Remark> problems = new ArrayList<>();
    private boolean isReadable = true;
    private long nextSample;

    public ClientMachine(RunContext run) {
        this.run = run;
        this.history = new MachineHistory(
                HostProfile.CLIENT,
                HostProfile.CLIENT,
                run.target().nodes().stream()
                        .anyMatch(node -> node.connector().endpoint().isLocal()));
    }

    @Override
    public void start() {
        MachineFiles counters = MachineFiles.local(MachineHistory.files());
        history.environment(MachineFiles.local(MachineHistory.environmentFiles(counters)), openFiles());
        Environment environment = history.environment();
        if (environment != null) {
            boolean isRemote = run.target().nodes().stream()
                    .anyMatch(node -> !node.connector().endpoint().isLocal());
            problems.addAll(MachineProblems.client(environment, run.share().clients(), isRemote));
            problems.forEach(problem -> run.warn(problem.text()));
        }
    }

    private static @Nullable Long openFiles() {
        OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        return system instanceof UnixOperatingSystemMXBean unix ? unix.getMaxFileDescriptorCount() : null;
    }

    @Override
    public void measureStarts() {
        history.restart();
        read(totals());
        nextSample = System.nanoTime() + SAMPLE_NANOS;
    }

    @Override
    public void sample(long now) {
        if (now >= nextSample) {
            nextSample = now + SAMPLE_NANOS;
            read(MachineHistory.files());
        }
    }

    @Override
    public void measureEnds() {
        read(totals());
        history.measureEnds();
    }

    private static List<String> totals() {
        return Stream.concat(MachineHistory.filesOfTotals().stream(), Stream.of(ProcessTicks.OWN_STAT))
                .toList();
    }

    private void read(List<String> paths) {
        if (!isReadable) {
            return;
        }
        try {
            MachineFiles read = MachineFiles.local(paths);
            MachineFiles files = read.with(ProcessTicks.PROCESSES, read.text(ProcessTicks.OWN_STAT));
            long now = System.nanoTime();
            history.add(files, now, run.timeline().sinceStart(now) / 1e9);
        } catch (IllegalArgumentException e) {
            isReadable = false; // not Linux
        }
    }

    @Override
    public void contribute(Findings findings) {
        problems.forEach(findings.evidence()::caution);
        HostProfile profile = history.profile(findings.measureStart());
        if (profile != null) {
            findings.machine(profile);
        }
    }
}
