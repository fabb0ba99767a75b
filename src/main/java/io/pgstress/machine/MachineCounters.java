package io.pgstress.machine;

import io.pgstress.machine.MachineUse.CpuUse;
import io.pgstress.machine.MachineUse.DiskUse;
import io.pgstress.machine.MachineUse.InterruptUse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The counters of a machine at one moment, from its {@code /proc} (proc(5)).
 *
 * @param nanoTime time of the reading, on the client's clock
 * @param runSeconds time of the reading in seconds since the start of the load, pauses excluded
 * @param cpus all CPUs together, followed by each
 * @param inBytes, outBytes of the network interfaces
 * @param received software interrupts for received packets, by CPU; empty if unknown
 * @param ofCards interrupts of the network cards, by CPU; empty in a reading without {@link #INTERRUPTS}
 * @param quotas the control groups of the node's processes, with their CPU quotas; empty in a reading without them
 * @param limits their memory limits, likewise
 * @param processes CPU time of the node's own processes in ticks; null in a reading without them
 * @param cpuOfProcesses all CPUs together when the processes were read, which takes a while on a full machine; null in a reading
 *     without processes
 */
public record MachineCounters(
        long nanoTime,
        double runSeconds,
        double loadAverage,
        List<CpuTicks> cpus,
        long inBytes,
        long outBytes,
        Map<String, DiskCounters> disks,
        List<Long> received,
        List<Long> ofCards,
        List<CpuQuota> quotas,
        List<MemoryLimit> limits,
        @Nullable Long processes,
        @Nullable CpuTicks cpuOfProcesses) {
    private static final String LOAD_AVERAGE = "/proc/loadavg";
    private static final String NET = "/proc/net/dev";
    private static final String DISKS = "/proc/diskstats";
    private static final String SOFT_INTERRUPTS = "/proc/softirqs";
    private static final String INTERRUPTS = "/proc/interrupts";

    /** The files that each reading needs. */
    public static final List<String> FILES = List.of(LOAD_AVERAGE, CpuTicks.FILE, NET, DISKS, SOFT_INTERRUPTS);

    /** Those of the first and the last reading of a measurement: {@code /proc/interrupts} has a line per device and queue. */
    public static final List<String> FILES_OF_TOTALS =
            Stream.concat(FILES.stream(), Stream.of(INTERRUPTS)).toList();

    /** Fewer disks than this are in each sample. */
    private static final int MAX_DISKS = 4;

    /** Where utime, stime, cutime and cstime are in {@code /proc/PID/stat} after the name. */
    private static final int FIRST_TIME = 12;

    private static final int TIMES = 4;

    private static final Pattern LOAD = Pattern.compile("^(\\d+\\.\\d+) ");
    private static final Pattern INTERFACE =
            Pattern.compile("(?m)^ *([^\\s:]+): *(\\d+)(?: +\\d+){7} +(\\d+)(?: +\\d+){7} *$");
    private static final Pattern RECEIVED = Pattern.compile("(?m)^ *NET_RX: +(\\d.*)$");
    private static final Pattern CPU = Pattern.compile("CPU\\d+");

    /** Queues that are named by the driver (virtio-net, mlx4, mlx5, gve) instead of the interface. */
    private static final String DRIVERS = "virtio\\d+-(?:input|output)\\.\\d+|mlx4-\\S+|mlx5_\\S+|gve-\\S+";

    /**
     * Parses the text of the files.
     *
     * @param processes a line of {@code /proc/PID/stat} for each of the node's own processes, and the first line of {@link
     *     CpuTicks#FILE} of the same moment; empty if unknown
     * @param loopback whether to count the loopback interface: it is the network if the whole cluster is on one machine
     * @throws IllegalArgumentException if there are no counters
     */
    static MachineCounters parse(
            MachineFiles files, String processes, boolean loopback, long nanoTime, double runSeconds) {
        Matcher load = LOAD.matcher(files.text(LOAD_AVERAGE) + " ");
        List<CpuTicks> cpus = CpuTicks.parse(files.text(CpuTicks.FILE));
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
        Matcher received = RECEIVED.matcher(files.text(SOFT_INTERRUPTS));
        return new MachineCounters(
                nanoTime,
                runSeconds,
                Double.parseDouble(load.group(1)),
                cpus,
                in,
                out,
                DiskCounters.parse(files.text(DISKS)),
                received.find() ? numbers(received.group(1)) : List.of(),
                ofCards(files.text(INTERRUPTS), interfaces(files)),
                CpuQuota.parse(files),
                MemoryLimit.parse(files),
                processTicks(processes),
                CpuTicks.parse(processes).stream().findFirst().orElse(null));
    }

    /**
     * The files with the limits of control groups.
     *
     * @param groups the text of {@link ControlGroups#OF_PROCESS}
     */
    static List<String> groupFiles(String groups) {
        return ControlGroups.files(
                groups,
                controller -> Stream.of(CpuQuota.files(controller), MemoryLimit.files(controller))
                        .flatMap(List::stream)
                        .toList());
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
     * The interrupts of network cards by CPU, from {@code /proc/interrupts}; lines that were cut off are ignored.
     *
     * @param interfaces names of the cards' interfaces
     */
    static List<Long> ofCards(String interrupts, List<String> interfaces) {
        int cpus = (int) interrupts
                .lines()
                .limit(1)
                .flatMap(head -> CPU.matcher(head).results())
                .count();
        String names = Stream.concat(Stream.of(DRIVERS), interfaces.stream().map(Pattern::quote))
                .collect(Collectors.joining("|"));
        return Pattern.compile("(?m)^ *\\d+:((?: +\\d+){" + cpus + "}) +(?:.*[ ,-])?(?:" + names + ")(?!\\w).*$")
                .matcher(interrupts)
                .results()
                .map(line -> numbers(line.group(1)))
                .reduce((some, more) -> IntStream.range(0, cpus)
                        .mapToObj(cpu -> some.get(cpu) + more.get(cpu))
                        .toList())
                .orElse(List.of());
    }

    private static List<Long> numbers(String text) {
        return Stream.of(text.strip().split(" +", -1)).map(Long::valueOf).toList();
    }

    /**
     * The CPU time in ticks of processes and of their children that have ended. If all processes have a common ancestor among them,
     * this counts each one from its start until after its end.
     *
     * @param lines one per process, of its {@code /proc/PID/stat}
     * @return null without lines
     */
    public static @Nullable Long processTicks(String lines) {
        return lines.lines()
                .filter(line -> line.contains(") "))
                .map(MachineCounters::ticksOfLine)
                .reduce(Long::sum)
                .orElse(null);
    }

    /** The name in parentheses may contain anything. */
    private static long ticksOfLine(String line) {
        String[] fields = line.substring(line.lastIndexOf(") ") + 1).split(" ", -1);
        return fields.length < FIRST_TIME + TIMES
                ? 0
                : Stream.of(fields)
                        .skip(FIRST_TIME)
                        .limit(TIMES)
                        .mapToLong(Long::parseLong)
                        .sum();
    }

    /**
     * The difference to an earlier reading; null if no time has passed or the counters were reset.
     *
     * @param measureStart start of the measurement in seconds since the start of the load
     * @param dataDisk number of the disk with the server's data, as in {@code 253:0}; empty if unknown
     */
    @Nullable
    MachineSample since(MachineCounters before, double measureStart, String dataDisk) {
        double seconds = (nanoTime - before.nanoTime) / 1e9;
        CpuTicks all = cpus.get(0);
        CpuTicks then = before.cpus.get(0);
        if (seconds <= 0 || all.since(then) <= 0 || inBytes < before.inBytes || outBytes < before.outBytes) {
            return null;
        }
        long written = DiskCounters.writtenBytes(disks);
        long writtenThen = DiskCounters.writtenBytes(before.disks);
        return new MachineSample(
                before.runSeconds - measureStart,
                seconds,
                all.busySince(then),
                loadAverage,
                MachineUse.rounded((inBytes - before.inBytes) * 8 / 1e6 / seconds),
                MachineUse.rounded((outBytes - before.outBytes) * 8 / 1e6 / seconds),
                written < writtenThen || writtenThen < 0
                        ? null
                        : MachineUse.rounded((written - writtenThen) / 1e6 / seconds),
                new MachineUse(
                        all.useSince(then, busiest(before)),
                        disksSince(before, seconds, dataDisk),
                        interrupts(received, before, before.received, seconds),
                        interrupts(ofCards, before, before.ofCards, seconds),
                        CpuQuota.use(quotas, before.quotas, seconds),
                        MemoryLimit.use(limits, before.limits, seconds)));
    }

    /**
     * The share of all CPUs' time that the node's own processes took since an earlier reading, in the time between the readings of the
     * processes; null if unknown.
     */
    @Nullable
    Double processesSince(MachineCounters before) {
        if (processes == null
                || before.processes == null
                || processes < before.processes
                || cpuOfProcesses == null
                || before.cpuOfProcesses == null) {
            return null;
        }
        long all = cpuOfProcesses.since(before.cpuOfProcesses);
        return all <= 0
                ? null
                : Double.valueOf(MachineUse.rounded(Math.min(1, (double) (processes - before.processes) / all)));
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
                .sorted(DiskUse.BUSIEST_FIRST)
                .limit(MAX_DISKS)
                .toList();
    }

    /**
     * The CPU that handled most of some interrupts between two readings; null if there were none, if there is only one CPU, or if it
     * is unknown.
     */
    private @Nullable InterruptUse interrupts(List<Long> now, MachineCounters before, List<Long> then, double seconds) {
        int count = Math.min(now.size(), then.size());
        long all = 0;
        long most = -1;
        int busiest = 0;
        for (int cpu = 0; cpu < count; cpu++) {
            long here = Math.max(0, now.get(cpu) - then.get(cpu));
            all += here;
            busiest = here > most ? cpu : busiest;
            most = Math.max(most, here);
        }
        if (all == 0 || count < 2 || busiest + 1 >= Math.min(cpus.size(), before.cpus.size())) {
            return null;
        }
        CpuTicks cpu = cpus.get(busiest + 1);
        CpuTicks cpuThen = before.cpus.get(busiest + 1);
        return new InterruptUse(
                MachineUse.rounded(all / seconds),
                busiest,
                MachineUse.rounded((double) most / all),
                cpu.busySince(cpuThen),
                cpu.interruptsSince(cpuThen));
    }

    /**
     * CPU times in ticks (hundredths of a second) since the machine's start, from {@code /proc/stat}.
     *
     * @param interrupts times of hardware and software interrupts
     */
    public record CpuTicks(long user, long system, long interrupts, long idle, long iowait, long steal) {
        public static final String FILE = "/proc/stat";

        private static final Pattern LINE = Pattern.compile("(?m)^cpu(\\d*) +(\\d.*)$");
        private static final int FIELDS = 8; // guest time, which follows, is part of user time

        /** The sum over all CPUs, followed by each CPU; empty if the text has none. */
        public static List<CpuTicks> parse(String stat) {
            List<CpuTicks> all = new ArrayList<>();
            for (Matcher m = LINE.matcher(stat); m.find(); ) {
                all.add(of(m.group(2)));
            }
            return all;
        }

        /** Each CPU by its number; those that are offline are missing. */
        static Map<Integer, CpuTicks> byNumber(String stat) {
            Map<Integer, CpuTicks> all = new TreeMap<>();
            for (Matcher m = LINE.matcher(stat); m.find(); ) {
                if (!m.group(1).isEmpty()) {
                    all.put(Integer.valueOf(m.group(1)), of(m.group(2)));
                }
            }
            return all;
        }

        private static CpuTicks of(String times) {
            long[] t = new long[FIELDS];
            String[] fields = times.trim().split(" +", -1);
            for (int i = 0; i < Math.min(FIELDS, fields.length); i++) {
                t[i] = Long.parseLong(fields[i]);
            }
            return new CpuTicks(t[0] + t[1], t[2], t[5] + t[6], t[3], t[4], t[7]);
        }

        /** Ticks in which it worked, or would have if the time had not been stolen. */
        private long worked() {
            return user + system + interrupts + steal;
        }

        /** Ticks between the readings; 0 or less if the counters were reset. */
        private long since(CpuTicks before) {
            return worked() + idle + iowait - before.worked() - before.idle - before.iowait;
        }

        /** The busy share between the readings, 0 to 1. */
        double busySince(CpuTicks before) {
            return share(worked() - before.worked(), before);
        }

        private double interruptsSince(CpuTicks before) {
            return share(interrupts - before.interrupts, before);
        }

        private CpuUse useSince(CpuTicks before, double busiest) {
            return new CpuUse(
                    share(user - before.user, before),
                    share(system - before.system, before),
                    interruptsSince(before),
                    share(iowait - before.iowait, before), // a kernel may let it decrease
                    share(steal - before.steal, before),
                    busiest);
        }

        private double share(long ticks, CpuTicks before) {
            long all = since(before);
            return all <= 0 ? 0 : MachineUse.rounded(Math.min(1, Math.max(0, (double) ticks / all)));
        }
    }

    /**
     * A disk's counters since the machine's start, from {@code /proc/diskstats} (the kernel's admin-guide/iostats).
     *
     * @param number its major and minor number, as in {@code 253:0}
     * @param readMerges, writeMerges requests that were merged with a waiting one
     * @param busyMillis time in which requests were under way
     * @param requestMillis the same for each request, added up
     */
    public record DiskCounters(
            String number,
            String device,
            long reads,
            long readSectors,
            long readMillis,
            long writes,
            long writtenSectors,
            long writeMillis,
            long readMerges,
            long writeMerges,
            long busyMillis,
            long requestMillis) {
        private static final int SECTOR = 512;
        private static final int FIELDS = 14;
        private static final Pattern IGNORED = Pattern.compile("(loop|ram|zram|sr|fd)\\d+");
        private static final Pattern PARTITION =
                Pattern.compile("(?:(nvme\\d+n\\d+|mmcblk\\d+|md\\d+)p|([svh]d[a-z]+|xvd[a-z]+))\\d+");
        private static final Pattern LAYER = Pattern.compile("(dm-|md).*");

        /** The disks by name, without those that are memory, files or removable. */
        private static Map<String, DiskCounters> parse(String diskstats) {
            Map<String, DiskCounters> all = new LinkedHashMap<>();
            for (String line : diskstats.lines().toList()) {
                String[] f = line.strip().split(" +", -1);
                if (f.length >= FIELDS && !IGNORED.matcher(f[2]).matches()) {
                    long[] n = Stream.of(f).skip(3).mapToLong(Long::parseLong).toArray();
                    all.put(
                            f[2],
                            new DiskCounters(
                                    f[0] + ":" + f[1],
                                    f[2],
                                    n[0],
                                    n[2],
                                    n[3],
                                    n[4],
                                    n[6],
                                    n[7],
                                    n[1],
                                    n[5],
                                    n[9],
                                    n[10]));
                }
            }
            return all;
        }

        /**
         * Bytes written to hardware; below 0 if there is no disk. A partition counts if its disk is not listed, and a device above
         * others (device mapper, RAID) if nothing else is.
         */
        private static long writtenBytes(Map<String, DiskCounters> all) {
            long hardware = -1;
            long layers = -1;
            for (DiskCounters disk : all.values()) {
                Matcher partition = PARTITION.matcher(disk.device);
                boolean isPart = partition.matches()
                        && (all.containsKey(partition.group(1)) || all.containsKey(partition.group(2)));
                if (LAYER.matcher(disk.device).matches()) {
                    layers = Math.max(0, layers) + SECTOR * disk.writtenSectors;
                } else if (!isPart) {
                    hardware = Math.max(0, hardware) + SECTOR * disk.writtenSectors;
                }
            }
            return hardware >= 0 ? hardware : layers;
        }

        /** What it did between the readings; null if that was nothing, or the counters were reset. */
        private @Nullable DiskUse since(@Nullable DiskCounters before, double seconds, boolean holdsData) {
            if (before == null || reads < before.reads || writes < before.writes || busyMillis < before.busyMillis) {
                return null;
            }
            long read = reads - before.reads;
            long written = writes - before.writes;
            long readTime = readMillis - before.readMillis;
            long writeTime = writeMillis - before.writeMillis;
            return read + written == 0 && !holdsData
                    ? null
                    : new DiskUse(
                            device,
                            holdsData,
                            MachineUse.rounded(read / seconds),
                            MachineUse.rounded(written / seconds),
                            MachineUse.rounded((readSectors - before.readSectors) * SECTOR / 1e6 / seconds),
                            MachineUse.rounded((writtenSectors - before.writtenSectors) * SECTOR / 1e6 / seconds),
                            each((double) readTime + writeTime, read + written),
                            each((double) readTime, read),
                            each((double) writeTime, written),
                            perSecond((double) readMerges - before.readMerges, seconds),
                            perSecond((double) writeMerges - before.writeMerges, seconds),
                            each(
                                    (readSectors - before.readSectors + writtenSectors - before.writtenSectors)
                                            * SECTOR
                                            / 1024.0,
                                    read + written),
                            perSecond((requestMillis - before.requestMillis) / 1e3, seconds),
                            MachineUse.rounded(Math.min(1, (busyMillis - before.busyMillis) / 1e3 / seconds)));
        }

        private static @Nullable Double each(double sum, long requests) {
            return requests == 0 ? null : Double.valueOf(MachineUse.rounded(Math.max(0, sum / requests)));
        }

        private static double perSecond(double increase, double seconds) {
            return MachineUse.rounded(Math.max(0, increase / seconds));
        }
    }
}
