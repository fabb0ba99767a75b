package io.pgstress.report.text;

import io.pgstress.machine.Environment;
import io.pgstress.machine.MachineProfile;
import io.pgstress.machine.MachineUse.CpuUse;
import io.pgstress.machine.MachineUse.DiskUse;
import io.pgstress.machine.MachineUse.InterruptUse;
import io.pgstress.report.format.Figures;
import io.pgstress.report.format.TextTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The load of the machines of a run during the measurement as tables, and their properties. */
final class MachineTables {
    private MachineTables() {}

    /** One row per machine, as mpstat shows it. */
    static TextTable cpus(List<MachineProfile> machines) {
        TextTable table = new TextTable(
                1,
                List.of(
                        "machine",
                        "CPU",
                        "user",
                        "system",
                        "interrupts",
                        "iowait",
                        "steal",
                        "busiest CPU",
                        "own processes",
                        "load",
                        "in Mbit/s",
                        "out Mbit/s",
                        "received by one CPU"));
        machines.forEach(machine -> table.add(cpu(machine)));
        return table.optional(
                "received by one CPU", "load", "own processes", "interrupts", "iowait", "steal", "busiest CPU");
    }

    private static List<String> cpu(MachineProfile machine) {
        CpuUse use = machine.use() == null ? null : machine.use().cpu();
        InterruptUse receive = machine.use() == null ? null : machine.use().receive();
        return List.of(
                machine.title(),
                percent(machine.cpuBusy()),
                percent(use == null ? null : use.user()),
                percent(use == null ? null : use.system()),
                percent(use == null ? null : use.interrupts()),
                percent(use == null ? null : use.iowait()),
                percent(use == null ? null : use.steal()),
                percent(use == null ? null : use.busiest()),
                percent(machine.processCpu()),
                decimal(machine.loadAverage(), 2),
                decimal(machine.inMbitPerSecond(), 1),
                decimal(machine.outMbitPerSecond(), 1),
                receive == null
                        ? "-"
                        : Figures.percent(receive.share()) + " of " + Figures.rate(receive.perSecond()) + "/s");
    }

    /** One row per disk that was used, as iostat shows it. */
    static TextTable disks(List<MachineProfile> machines) {
        TextTable table = new TextTable(
                2,
                List.of(
                        "machine",
                        "disk",
                        "reads/s",
                        "writes/s",
                        "read MB/s",
                        "write MB/s",
                        "await ms",
                        "read await",
                        "write await",
                        "busy"));
        for (MachineProfile machine : machines) {
            if (machine.use() != null) {
                machine.use().disks().forEach(disk -> table.add(disk(machine, disk)));
            }
        }
        return table.optional("read await", "write await", "read MB/s");
    }

    private static List<String> disk(MachineProfile machine, DiskUse disk) {
        return List.of(
                machine.title(),
                disk.device() + (disk.holdsData() ? " (data)" : ""),
                Figures.rate(disk.readsPerSecond()),
                Figures.rate(disk.writesPerSecond()),
                Figures.decimal(disk.readMbPerSecond(), 1),
                Figures.decimal(disk.writeMbPerSecond(), 1),
                decimal(disk.awaitMillis(), 2),
                decimal(disk.readAwaitMillis(), 2),
                decimal(disk.writeAwaitMillis(), 2),
                Figures.percent(disk.utilization()));
    }

    private static String percent(@Nullable Double share) {
        return share == null ? "-" : Figures.percent(share);
    }

    private static String decimal(@Nullable Double value, int decimals) {
        return value == null ? "-" : Figures.decimal(value, decimals);
    }

    /** A line per machine with its properties; names on the same machine share a line. */
    static List<Fact> environments(List<MachineProfile> machines) {
        Map<String, List<MachineProfile>> byMachine = new LinkedHashMap<>();
        for (MachineProfile machine : machines) {
            if (machine.environment() != null) {
                String kernel = Objects.requireNonNullElse(machine.environment().kernelBoot(), machine.node());
                byMachine.computeIfAbsent(kernel, k -> new ArrayList<>()).add(machine);
            }
        }
        return byMachine.values().stream()
                .map(same -> Fact.detail("machine", words(same)))
                .toList();
    }

    private static String words(List<MachineProfile> same) {
        String names = same.stream().map(MachineProfile::title).collect(Collectors.joining(", "));
        List<String> parts = new ArrayList<>();
        for (MachineProfile machine : same) {
            words(Objects.requireNonNull(machine.environment())).stream()
                    .filter(part -> !parts.contains(part))
                    .forEach(parts::add);
        }
        return names + ": " + String.join(", ", parts);
    }

    private static List<String> words(Environment e) {
        List<String> parts = new ArrayList<>();
        add(parts, "", e.cpuModel());
        add(parts, "", e.cpus() == null ? null : e.cpus() + " CPUs");
        add(parts, "NUMA nodes ", e.numaNodes());
        add(parts, "governor ", e.governor());
        add(parts, "memory ", e.memoryBytes() == null ? null : Figures.bytes(e.memoryBytes()));
        add(parts, "transparent huge pages ", e.hugePages());
        add(parts, "kernel ", e.kernel());
        add(parts, "virtualization: ", e.virtualization());
        add(parts, "clock source ", e.clockSource());
        if (e.dataFileSystem() != null) {
            parts.add("data on " + e.dataDevice() + " (" + e.dataFileSystem() + ", " + e.dataMountOptions() + ")");
        }
        return parts;
    }

    private static void add(List<String> parts, String label, @Nullable Object value) {
        if (value != null) {
            parts.add(label + value);
        }
    }
}
