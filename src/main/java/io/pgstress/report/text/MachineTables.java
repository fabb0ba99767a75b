package io.pgstress.report.text;

import static io.pgstress.report.text.Facts.labeled;

import io.pgstress.machine.Environment;
import io.pgstress.machine.MachineProfile;
import io.pgstress.machine.MachineUse;
import io.pgstress.machine.MachineUse.CpuUse;
import io.pgstress.machine.MachineUse.DiskUse;
import io.pgstress.machine.MachineUse.InterruptUse;
import io.pgstress.machine.MachineUse.QuotaUse;
import io.pgstress.report.format.Columns;
import io.pgstress.report.format.Figures;
import io.pgstress.report.format.TextTable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The load of the machines of a run during the measurement as tables, and their properties. */
final class MachineTables {
    private MachineTables() {}

    /** One row per machine, as mpstat shows it. */
    static TextTable cpus(List<MachineProfile> machines) {
        Columns<CpuUse> cpu = new Columns<CpuUse>()
                .add("user", CpuUse::user, Figures::percent)
                .add("system", CpuUse::system, Figures::percent)
                .add("interrupts", CpuUse::interrupts, Figures::percent)
                .add("iowait", CpuUse::iowait, Figures::percent)
                .add("steal", CpuUse::steal, Figures::percent)
                .add("busiest CPU", CpuUse::busiest, Figures::percent);
        Columns<QuotaUse> quota = new Columns<>();
        if (machines.stream()
                .anyMatch(machine -> machine.use() != null && machine.use().quota() != null)) {
            quota.decimal("quota", QuotaUse::cores, 2)
                    .decimal("cores used", QuotaUse::usedCores, 2)
                    .add("throttled", QuotaUse::throttled, Figures::percent);
        }
        Columns<MachineProfile> columns = new Columns<MachineProfile>()
                .add("machine", MachineProfile::title)
                .add("CPU", MachineProfile::cpuBusy, Figures::percent)
                .part(MachineProfile::use, new Columns<MachineUse>().part(MachineUse::cpu, cpu))
                .add("own processes", MachineProfile::processCpu, Figures::percent)
                .part(MachineProfile::use, new Columns<MachineUse>().part(MachineUse::quota, quota))
                .decimal("load", MachineProfile::loadAverage, 2)
                .decimal("in Mbit/s", MachineProfile::inMbitPerSecond, 1)
                .decimal("out Mbit/s", MachineProfile::outMbitPerSecond, 1)
                .part(
                        MachineProfile::use,
                        new Columns<MachineUse>()
                                .add("received by one CPU", MachineUse::receive, MachineTables::words));
        return TextTable.of(1, columns, machines)
                .optional(
                        "received by one CPU", "load", "own processes", "interrupts", "iowait", "steal", "busiest CPU");
    }

    private static String words(InterruptUse receive) {
        return Figures.percent(receive.share()) + " of " + Figures.rate(receive.perSecond()) + "/s";
    }

    private record Disk(String machine, DiskUse use) {}

    /** One row per disk that was used, as iostat shows it. */
    static TextTable disks(List<MachineProfile> machines) {
        List<Disk> disks = machines.stream()
                .filter(machine -> machine.use() != null)
                .flatMap(machine -> machine.use().disks().stream().map(use -> new Disk(machine.title(), use)))
                .toList();
        Columns<DiskUse> columns = new Columns<DiskUse>()
                .add("disk", disk -> disk.device() + (disk.holdsData() ? " (data)" : ""))
                .add("reads/s", DiskUse::readsPerSecond, Figures::rate)
                .add("writes/s", DiskUse::writesPerSecond, Figures::rate)
                .decimal("read MB/s", DiskUse::readMbPerSecond, 1)
                .decimal("write MB/s", DiskUse::writeMbPerSecond, 1)
                .decimal("await ms", DiskUse::awaitMillis, 2)
                .decimal("read await", DiskUse::readAwaitMillis, 2)
                .decimal("write await", DiskUse::writeAwaitMillis, 2)
                .decimal("merges/s", disk -> disk.readMergesPerSecond() + disk.writeMergesPerSecond(), 1)
                .decimal("request kB", DiskUse::requestKilobytes, 1)
                .decimal("queue", DiskUse::queueLength, 2)
                .add("busy", DiskUse::utilization, Figures::percent);
        return TextTable.of(2, new Columns<Disk>().add("machine", Disk::machine).part(Disk::use, columns), disks)
                .optional("merges/s", "request kB", "queue", "read await", "write await", "read MB/s");
    }

    /** A line per machine with its properties; names on the same machine share a line. */
    static List<String> environments(List<MachineProfile> machines) {
        Map<String, List<MachineProfile>> byMachine = machines.stream()
                .filter(machine -> machine.environment() != null)
                .collect(Collectors.groupingBy(MachineTables::kernelBoot, LinkedHashMap::new, Collectors.toList()));
        return byMachine.values().stream().map(MachineTables::words).toList();
    }

    private static String kernelBoot(MachineProfile machine) {
        Environment environment = Objects.requireNonNull(machine.environment());
        return Objects.requireNonNullElse(environment.kernelBoot(), machine.node());
    }

    private static String words(List<MachineProfile> same) {
        return same.stream().map(MachineProfile::title).collect(Collectors.joining(", ")) + ": "
                + same.stream()
                        .flatMap(machine -> words(Objects.requireNonNull(machine.environment())))
                        .filter(part -> !part.isEmpty())
                        .distinct()
                        .collect(Collectors.joining(", "));
    }

    private static Stream<String> words(Environment e) {
        return Stream.of(
                labeled("", e.cpuModel()),
                e.cpus() == null ? "" : e.cpus() + " CPUs",
                labeled("NUMA nodes ", e.numaNodes()),
                labeled("governor ", e.governor()),
                e.memoryBytes() == null ? "" : "memory " + Figures.bytes(e.memoryBytes()),
                labeled("transparent huge pages ", e.hugePages()),
                labeled("kernel ", e.kernel()),
                labeled("virtualization: ", e.virtualization()),
                labeled("clock source ", e.clockSource()),
                e.dataFileSystem() == null
                        ? ""
                        : "data on " + e.dataDevice() + " (" + e.dataFileSystem() + ", " + e.dataMountOptions() + ")");
    }
}
