package io.pgstress.probe.machine;

import io.pgstress.machine.DiskUse;
import io.pgstress.machine.MachineUse;
import io.pgstress.result.ServerProfile.HostSample;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The counters of a machine at one moment, from its {@code /proc} (proc(5)).
 *
 * @param nanoTime time of the reading, on the client's clock
 * @param runSeconds time of the reading in seconds since the start of the load, pauses excluded
 * @param cpus all CPUs together, followed by each
 * @param inBytes, outBytes of the network interfaces
 * @param received software interrupts for received packets
 * @param ofCards interrupts of the network cards; unknown in a reading without {@link #INTERRUPTS}
 * @param processes CPU time of the node's own processes; {@link ProcessTicks#UNKNOWN} in a reading without them
 */
record MachineCounters(
        long nanoTime,
        double runSeconds,
        double loadAverage,
        List<CpuTicks> cpus,
        long inBytes,
        long outBytes,
        Map<String, DiskCounters> disks,
        InterruptCounts received,
        InterruptCounts ofCards,
        long processes) {
    private static final String LOAD_AVERAGE = "/proc/loadavg";
    private static final String STAT = "/proc/stat";
    private static final String NET = "/proc/net/dev";
    private static final String DISKS = "/proc/diskstats";
    private static final String SOFT_INTERRUPTS = "/proc/softirqs";

    /** Not needed by each reading: it has a line per device and queue. */
    static final String INTERRUPTS = "/proc/interrupts";

    /** The files that {@link #parse} expects. */
    static final List<String> FILES = List.of(LOAD_AVERAGE, STAT, NET, DISKS, SOFT_INTERRUPTS);

    /** Fewer disks than this are in each sample. */
    private static final int MAX_DISKS = 4;

    private static final Pattern LOAD = Pattern.compile("^(\\d+\\.\\d+) ");
    private static final Pattern INTERFACE =
            Pattern.compile("(?m)^ *([^\\s:]+): *(\\d+)(?: +\\d+){7} +(\\d+)(?: +\\d+){7} *$");

    /**
     * Parses the text of the files.
     *
     * @param loopback whether to count the loopback interface: it is the network if the whole cluster is on one machine
     */
    static MachineCounters parse(MachineFiles files, boolean loopback, long nanoTime, double runSeconds) {
        Matcher load = LOAD.matcher(files.text(LOAD_AVERAGE) + " ");
        List<CpuTicks> cpus = CpuTicks.parse(files.text(STAT));
        if (!load.find() || cpus.isEmpty()) {
            throw new IllegalArgumentException("it has no load average and no CPU time");
        }
        long in = 0;
        long out = 0;
        for (Matcher m = INTERFACE.matcher(files.text(NET)); m.find(); ) {
            boolean counts = loopback || !m.group(1).equals("lo");
            in += counts ? Long.parseLong(m.group(2)) : 0;
            out += counts ? Long.parseLong(m.group(3)) : 0;
        }
        return new MachineCounters(
                nanoTime,
                runSeconds,
                Double.parseDouble(load.group(1)),
                cpus,
                in,
                out,
                DiskCounters.parse(files.text(DISKS)),
                InterruptCounts.received(files.text(SOFT_INTERRUPTS)),
                InterruptCounts.ofCards(files.text(INTERRUPTS), interfaces(files)),
                ProcessTicks.parse(files.text(ProcessTicks.PROCESSES)));
    }

    /** The names of the network interfaces in {@code files} that have received anything. */
    static List<String> interfaces(MachineFiles files) {
        return INTERFACE
                .matcher(files.text(NET))
                .results()
                .filter(m -> !m.group(2).equals("0"))
                .map(m -> m.group(1))
                .filter(name -> !name.equals("lo") && name.matches("[\\w.-]+"))
                .toList();
    }

    /**
     * The difference to an earlier reading; null if no time has passed or the counters were reset.
     *
     * @param measureStart start of the measurement in seconds since the start of the load
     * @param dataDisk number of the disk with the server's data, as in {@code 253:0}; empty if unknown
     */
    @Nullable
    HostSample since(MachineCounters before, double measureStart, String dataDisk) {
        double seconds = (nanoTime - before.nanoTime) / 1e9;
        CpuTicks all = cpus.get(0);
        CpuTicks then = before.cpus.get(0);
        if (seconds <= 0 || all.since(then) <= 0 || inBytes < before.inBytes || outBytes < before.outBytes) {
            return null;
        }
        long written = DiskCounters.writtenBytes(disks);
        long writtenThen = DiskCounters.writtenBytes(before.disks);
        return new HostSample(
                before.runSeconds - measureStart,
                seconds,
                all.busySince(then),
                loadAverage,
                rounded((inBytes - before.inBytes) * 8 / 1e6 / seconds),
                rounded((outBytes - before.outBytes) * 8 / 1e6 / seconds),
                written < writtenThen || writtenThen < 0 ? null : rounded((written - writtenThen) / 1e6 / seconds),
                new MachineUse(
                        all.useSince(then, busiest(before)),
                        disksSince(before, seconds, dataDisk),
                        received.since(before.received, cpus, before.cpus, seconds),
                        ofCards.since(before.ofCards, cpus, before.cpus, seconds)));
    }

    /** The share of all CPUs' time that the node's own processes took since an earlier reading; null if unknown. */
    @Nullable
    Double processesSince(MachineCounters before) {
        long all = cpus.get(0).since(before.cpus.get(0));
        return processes == ProcessTicks.UNKNOWN
                        || before.processes == ProcessTicks.UNKNOWN
                        || processes < before.processes
                        || all <= 0
                ? null
                : Double.valueOf(rounded(Math.min(1, (double) (processes - before.processes) / all)));
    }

    private double busiest(MachineCounters before) {
        return IntStream.range(1, Math.min(cpus.size(), before.cpus.size()))
                .mapToDouble(i -> cpus.get(i).busySince(before.cpus.get(i)))
                .max()
                .orElse(cpus.get(0).busySince(before.cpus.get(0)));
    }

    /** The disks that were used: that with the data, followed by the busiest. */
    private List<DiskUse> disksSince(MachineCounters before, double seconds, String dataDisk) {
        return disks.values().stream()
                .map(disk -> disk.since(
                        before.disks.get(disk.device()), seconds, disk.number().equals(dataDisk)))
                .filter(Objects::nonNull)
                .map(DiskUse.class::cast)
                .sorted(Comparator.comparing(DiskUse::holdsData)
                        .thenComparing(DiskUse::utilization)
                        .reversed())
                .limit(MAX_DISKS)
                .toList();
    }

    /** To four decimals, which are enough for shares and keep results small. */
    static double rounded(double value) {
        return Math.round(value * 1e4) / 1e4;
    }
}
