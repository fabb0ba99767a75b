package io.pgstress.result.machine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The load of a machine in some period.
 *
 * @param disks the disks that were used: whole disks, partitions, and device-mapper and RAID devices above them
 * @param receive null on a machine with one CPU, or if nothing was received or it is unknown
 */
public record MachineUse(
        CpuUse cpu, List<DiskUse> disks, @Nullable ReceiveUse receive) {
    public MachineUse {
        disks = disks == null ? List.of() : List.copyOf(disks);
    }
}
