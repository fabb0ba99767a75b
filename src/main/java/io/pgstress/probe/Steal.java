package io.pgstress.probe;

import io.pgstress.machine.MachineCounters.CpuTicks;
import io.pgstress.machine.MachineFiles;
import io.pgstress.measure.Spans;
import io.pgstress.runner.Findings;
import io.pgstress.runner.Probe;
import io.pgstress.runner.RunContext;
import io.pgstress.verdict.LongTimes.Suspect;
import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * Records when the hypervisor took CPU time from this machine: {@code steal} in {@code /proc/stat}; nothing on systems without it. Belongs to one thread.
 */
public final class Steal implements Probe {
    private static final long TICK_NANOS = 10_000_000;

    private final String stat;
    private final int cpus;
    private final LongUnaryOperator sinceStart;
    private final Spans stolen = new Spans();
    private long lastTicks = -1;
    private long lastTime;

    public Steal(RunContext run) {
        this(CpuTicks.FILE, Runtime.getRuntime().availableProcessors(), run.timeline()::sinceStart);
    }

    /** @param sinceStart converts the clock's nanoseconds to those since the start of the load */
    Steal(String stat, int cpus, LongUnaryOperator sinceStart) {
        this.stat = stat;
        this.cpus = cpus;
        this.sinceStart = sinceStart;
    }

    /** Reads the counter; time stolen per CPU since the last reading counts as one span that ends now. */
    @Override
    public void sample(long now) {
        long ticks = ticks();
        long time = sinceStart.applyAsLong(now);
        if (lastTicks >= 0 && ticks > lastTicks) {
            long nanos = (ticks - lastTicks) * TICK_NANOS / cpus;
            stolen.add(Math.max(lastTime, time - nanos), time);
        }
        lastTicks = ticks;
        lastTime = time;
    }

    private long ticks() {
        return CpuTicks.parse(MachineFiles.local(List.of(stat)).text(stat)).stream()
                .findFirst()
                .map(CpuTicks::steal)
                .orElse(-1L); // no /proc on this system
    }

    /** The longest spans so far, in nanoseconds since the start of the load. */
    List<Spans.Span> spans() {
        return stolen.all();
    }

    @Override
    public void contribute(Findings findings) {
        spans().forEach(s -> findings.suspect(new Suspect(Suspect.Kind.STEAL, s.from() / 1e9, s.to() / 1e9)));
    }
}
