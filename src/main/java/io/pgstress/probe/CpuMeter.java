package io.pgstress.probe;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

/** A reading of this process's CPU time and collector pauses. */
record CpuMeter(long nanoTime, long cpuNanos, long gcMillis) {
    /** On a full machine, a thread may lose its core between reading the clock and the CPU time; then it reads both again. */
    private static final long MAX_APART_NANOS = 1_000_000;

    private static final int MAX_READINGS = 5;

    static CpuMeter read() {
        long gc = 0;
        for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
            // concurrent cycles are not pauses; their cost is part of the CPU time
            if (CollectorPauses.isPausing(bean.getName())) {
                gc += Math.max(0, bean.getCollectionTime());
            }
        }
        return of(gc);
    }

    /** A reading without the collector's pauses, which costs little. */
    static CpuMeter ofProcess() {
        return of(0);
    }

    private static CpuMeter of(long gcMillis) {
        for (int left = MAX_READINGS; ; left--) {
            long before = System.nanoTime();
            long cpu = system().getProcessCpuTime();
            long apart = System.nanoTime() - before;
            if (apart <= MAX_APART_NANOS || left == 1) {
                return new CpuMeter(before + apart / 2, cpu, gcMillis);
            }
        }
    }

    double secondsSince(CpuMeter before) {
        return (nanoTime - before.nanoTime) / 1e9;
    }

    double gcSecondsSince(CpuMeter before) {
        return (gcMillis - before.gcMillis) / 1e3;
    }

    double cpuSecondsSince(CpuMeter before) {
        return (cpuNanos - before.cpuNanos) / 1e9;
    }

    /** The machine's one-minute load average; below 0 if unknown. */
    static double loadAverage() {
        return system().getSystemLoadAverage();
    }

    /** The busy share of the machine's CPUs since the last call, 0 to 1; below 0 if unknown. */
    static double machineBusy() {
        return system().getCpuLoad();
    }

    private static OperatingSystemMXBean system() {
        return (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    }
}
