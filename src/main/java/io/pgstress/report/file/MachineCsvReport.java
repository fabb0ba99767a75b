package io.pgstress.report.file;

import io.pgstress.machine.MachineProfile.Sample;
import io.pgstress.machine.MachineProfile;
import io.pgstress.machine.MachineUse.CpuUse;
import io.pgstress.machine.MachineUse.DiskUse;
import io.pgstress.machine.MachineUse.InterruptUse;
import io.pgstress.machine.MachineUse;
import io.pgstress.report.format.Figures;
import io.pgstress.result.RunResult;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * CSV with one row per machine and reading, every few seconds; the disk is the one with the data, or the busiest. The columns that
 * begin with {@code all_} are of the whole measurement, and the same in all rows of a machine.
 */
public final class MachineCsvReport extends CsvReport {
    private static final List<String> COLUMNS = List.of(
            "run",
            "machine",
            "role",
            "at_seconds",
            "seconds",
            "cpu_busy",
            "load_average",
            "in_mbit_per_second",
            "out_mbit_per_second",
            "disk_write_mb_per_second",
            "cpu_user",
            "cpu_system",
            "cpu_interrupts",
            "cpu_iowait",
            "cpu_steal",
            "cpu_busiest",
            "disk",
            "disk_reads_per_second",
            "disk_writes_per_second",
            "disk_await_millis",
            "disk_busy",
            "receive_interrupts_per_second",
            "receive_cpu",
            "receive_cpu_share",
            "all_process_cpu",
            "all_card_interrupts_per_second",
            "all_card_cpu",
            "all_card_cpu_share");

    private static final int OF_ALL = 4;

    @Override
    public String name() {
        return "csv-machines";
    }

    @Override
    public String description() {
        return "CSV with one row per machine every 2 seconds.";
    }

    @Override
    List<String> header() {
        return COLUMNS;
    }

    @Override
    List<List<String>> rows(RunResult result) {
        List<List<String>> rows = new ArrayList<>();
        for (MachineProfile machine : result.serverProfile().allMachines()) {
            machine.samples().forEach(sample -> rows.add(row(result.run().id(), machine, sample)));
        }
        return rows;
    }

    private static List<String> row(String run, MachineProfile machine, Sample s) {
        List<String> row = new ArrayList<>(List.of(
                run,
                machine.node(),
                machine.role(),
                Figures.plain(s.atSeconds()),
                Figures.plain(s.seconds()),
                Figures.plain(s.cpuBusy()),
                Figures.plain(s.loadAverage()),
                Figures.plain(s.inMbitPerSecond()),
                Figures.plain(s.outMbitPerSecond()),
                cell(s.diskWriteMbPerSecond())));
        MachineUse use = s.use();
        if (use != null) {
            CpuUse cpu = use.cpu();
            List.of(cpu.user(), cpu.system(), cpu.interrupts(), cpu.iowait(), cpu.steal(), cpu.busiest())
                    .forEach(share -> row.add(Figures.plain(share)));
            addDisk(row, use);
            addInterrupts(row, use.receive());
        }
        fill(row, COLUMNS.size() - OF_ALL);
        row.add(cell(machine.processCpu()));
        if (machine.use() != null) {
            addInterrupts(row, machine.use().networkCards());
        }
        fill(row, COLUMNS.size());
        return row;
    }

    private static void addDisk(List<String> row, MachineUse use) {
        DiskUse disk = use.disks().isEmpty() ? null : use.disks().get(0);
        row.addAll(
                disk == null
                        ? List.of("", "", "", "", "")
                        : List.of(
                                disk.device(),
                                Figures.plain(disk.readsPerSecond()),
                                Figures.plain(disk.writesPerSecond()),
                                cell(disk.awaitMillis()),
                                Figures.plain(disk.utilization())));
    }

    private static void fill(List<String> row, int columns) {
        while (row.size() < columns) {
            row.add("");
        }
    }

    private static void addInterrupts(List<String> row, @Nullable InterruptUse interrupts) {
        if (interrupts != null) {
            row.add(Figures.plain(interrupts.perSecond()));
            row.add(Integer.toString(interrupts.cpu()));
            row.add(Figures.plain(interrupts.share()));
        }
    }
}
