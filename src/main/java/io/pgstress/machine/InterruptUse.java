package io.pgstress.machine;

/**
 * Which CPU of a machine handled the most interrupts of some kind.
 *
 * @param perSecond interrupts per second on all CPUs
 * @param cpu the number of the CPU that handled most of them
 * @param share that CPU's share of them, 0 to 1
 * @param cpuBusy, cpuInterrupts the shares of that CPU's time in which it was busy, and in which it handled interrupts of any kind
 */
public record InterruptUse(double perSecond, int cpu, double share, double cpuBusy, double cpuInterrupts) {}
