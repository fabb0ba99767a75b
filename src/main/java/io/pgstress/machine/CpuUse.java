package io.pgstress.machine;

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
    /** The share in which the CPUs worked or were taken away. */
    public double busy() {
        return user + system + interrupts + steal;
    }
}
