package io.pgstress.machine;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The load of a machine in some period.
 *
 * @param disks the disks that were used: whole disks, partitions, and device-mapper and RAID devices above them
 * @param receive {@code NET_RX} software interrupts, which process what was received from the network; null on a machine with one
 *     CPU, or if nothing was received or it is unknown
 * @param networkCards interrupts of the network cards; only for the whole measurement, and null like {@code receive}
 * @param quota the CPU quota of the node's processes; only for the whole measurement, and null if they have none
 * @param memoryLimit the memory limit of the node's processes, likewise
 */
public record MachineUse(
        CpuUse cpu,
        List<DiskUse> disks,
        @Nullable InterruptUse receive,
        @Nullable InterruptUse networkCards,
        @Nullable QuotaUse quota,
        @Nullable MemoryLimitUse memoryLimit) {
    public MachineUse {
        disks = disks == null ? List.of() : List.copyOf(disks);
    }

    /** To four decimals, which are enough for shares and keep results small. */
    static double rounded(double value) {
        return Math.round(value * 1e4) / 1e4;
    }

    /**
     * What a machine's CPUs did, as shares of the time of all of them (0 to 1), as mpstat shows it. The rest was idle time.
     *
     * @param user user mode, including niced processes
     * @param system kernel mode, without interrupts
     * @param interrupts hardware and software interrupts
     * @param iowait idle while waiting for a disk
     * @param steal taken by other virtual machines
     * @param busiest busy share of the busiest CPU
     */
    public record CpuUse(double user, double system, double interrupts, double iowait, double steal, double busiest) {
        /** The share in which the CPUs worked or were taken away, 0 to 1. */
        public double busy() {
            return Math.min(1, user + system + interrupts + steal); // medians of several runs may add up to more
        }
    }

    /**
     * What a disk did, as iostat shows it.
     *
     * @param device its name, such as {@code nvme0n1p2} or {@code dm-0}
     * @param holdsData whether the server's data directory is on it
     * @param awaitMillis mean time of a request, waiting included; null if there were none
     * @param readAwaitMillis, writeAwaitMillis the same for reads and writes
     * @param readMergesPerSecond, writeMergesPerSecond requests that were merged with a waiting one before the disk saw them
     * @param requestKilobytes mean size of a request, in kibibytes; null if there were none
     * @param queueLength mean number of requests that waited or were being served
     * @param utilization share of the time in which requests were under way, 0 to 1. A disk that serves requests in parallel, as SSDs
     *     do, can do more even at 1 (iostat(1)).
     */
    public record DiskUse(
            String device,
            boolean holdsData,
            double readsPerSecond,
            double writesPerSecond,
            double readMbPerSecond,
            double writeMbPerSecond,
            @Nullable Double awaitMillis,
            @Nullable Double readAwaitMillis,
            @Nullable Double writeAwaitMillis,
            double readMergesPerSecond,
            double writeMergesPerSecond,
            @Nullable Double requestKilobytes,
            double queueLength,
            double utilization) {
        /** That with the data, followed by the busiest. */
        public static final Comparator<DiskUse> BUSIEST_FIRST = Comparator.comparing(DiskUse::holdsData)
                .thenComparing(DiskUse::utilization)
                .reversed();
    }

    /**
     * Which CPU of a machine handled the most interrupts of some kind.
     *
     * @param perSecond interrupts per second on all CPUs
     * @param cpu the number of the CPU that handled most of them
     * @param share that CPU's share of them, 0 to 1
     * @param cpuBusy, cpuInterrupts the shares of that CPU's time in which it was busy, and in which it handled interrupts of any kind
     */
    public record InterruptUse(double perSecond, int cpu, double share, double cpuBusy, double cpuInterrupts) {}

    /**
     * How much a CPU quota held processes up.
     *
     * @param group the directory of the control group with the quota, as the processes see it
     * @param cores the quota, as a number of cores
     * @param throttled share of the time that is in periods (usually of 0.1 s) in which the quota was used up, 0 to 1
     * @param usedCores CPU time that the processes used per second, in seconds; null if unknown
     */
    public record QuotaUse(
            String group,
            double cores,
            double throttled,
            @Nullable Double usedCores) {}

    /**
     * How much a memory limit held processes up.
     *
     * @param bytes the limit
     * @param hitsPerSecond how often memory was needed beyond it, so that the kernel evicted pages
     * @param rereadsPerSecond pages that had been evicted and were read again; null if unknown
     * @param stalled share of the time in which processes waited for memory, 0 to 1; null if unknown
     */
    public record MemoryLimitUse(
            double bytes,
            double hitsPerSecond,
            @Nullable Double rereadsPerSecond,
            @Nullable Double stalled) {}
}
