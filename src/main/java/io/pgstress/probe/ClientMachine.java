package io.pgstress.probe;

import com.sun.management.UnixOperatingSystemMXBean;
import io.pgstress.machine.Environment;
import io.pgstress.machine.MachineCounters.CpuTicks;
import io.pgstress.machine.MachineFiles;
import io.pgstress.machine.MachineProfile;
import io.pgstress.machine.MachineWatch;
import io.pgstress.result.Remark;
import io.pgstress.runner.Findings;
import io.pgstress.runner.Probe;
import io.pgstress.runner.RunContext;
import io.pgstress.target.Node;
import io.pgstress.verdict.MachineProblems;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Load and properties of the machine that generates the load, as far as it has a {@code /proc}. */
public final class ClientMachine implements Probe {
    private static final String OWN_STAT = "/proc/self/stat";

    /** The files of this process and its machine. */
    static final class OwnFiles implements MachineWatch.Source {
        @Override
        public MachineFiles read(List<String> paths) {
            return MachineFiles.local(paths);
        }

        @Override
        public String processes() {
            MachineFiles files = MachineFiles.local(List.of(OWN_STAT, CpuTicks.FILE));
            return files.text(OWN_STAT) + "\n" + files.text(CpuTicks.FILE);
        }

        @Override
        public boolean followsGroups() {
            return true;
        }

        @Override
        public @Nullable Long openFiles() {
            return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                    ? unix.getMaxFileDescriptorCount()
                    : null;
        }

        @Override
        public void hasNoCounters(String why) {
            // not Linux
        }
    }

    private final RunContext run;
    private final MachineWatch machine;
    private final List<Remark> problems = new ArrayList<>();
    private long nextSample;

    public ClientMachine(RunContext run) {
        this.run = run;
        this.machine = new MachineWatch(
                MachineProfile.CLIENT,
                MachineProfile.CLIENT,
                hasLocal(run),
                new OwnFiles(),
                run.timeline()::sinceStart);
    }

    /** Whether a server of the run is on this machine. */
    static boolean hasLocal(RunContext run) {
        return run.target().nodes().stream().anyMatch(ClientMachine::isLocal);
    }

    private static boolean isLocal(Node node) {
        return node.connector().endpoint().isLocal();
    }

    @Override
    public void start() {
        machine.start();
        Environment environment = machine.environment();
        if (environment != null) {
            boolean isRemote = run.target().nodes().stream().anyMatch(node -> !isLocal(node));
            problems.addAll(MachineProblems.client(environment, run.share().clients(), isRemote));
            problems.forEach(run::warn);
        }
    }

    @Override
    public void measureStarts() {
        machine.start();
        nextSample = System.nanoTime() + MachineWatch.SAMPLE_NANOS;
    }

    @Override
    public void sample(long now) {
        if (now >= nextSample) {
            nextSample = now + MachineWatch.SAMPLE_NANOS;
            machine.sample();
        }
    }

    @Override
    public void measureEnds() {
        machine.end();
    }

    @Override
    public void contribute(Findings findings) {
        problems.forEach(findings.evidence()::caution);
        MachineProfile profile =
                machine.profile(findings.measureStart(), findings.recorded().seconds());
        if (profile != null) {
            findings.otherMachine(MachineProfile.CLIENT, profile);
        }
    }
}
