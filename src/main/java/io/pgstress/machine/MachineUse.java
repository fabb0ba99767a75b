package io.pgstress.machine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The load of a machine in some period.
 *
 * @param disks the disks that were used: whole disks, partitions, and device-mapper and RAID devices above them
 * @param receive {@code NET_RX} software interrupts, which process what was received from the network; null on a machine with one
 *     CPU, or if nothing was received or it is unknown
 * @param networkCards interrupts of the network cards; only for the whole measurement, and null like {@code receive}
 */
public record MachineUse(
        CpuUse cpu,
        List<DiskUse> disks,
        @Nullable InterruptUse receive,
        @Nullable InterruptUse networkCards) {
    public MachineUse {
        disks = disks == null ? List.of() : List.copyOf(disks);
    }
}
