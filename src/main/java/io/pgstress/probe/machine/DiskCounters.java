package io.pgstress.probe.machine;

import io.pgstress.machine.DiskUse;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A disk's counters since the machine's start, from {@code /proc/diskstats} (the kernel's admin-guide/iostats).
 *
 * @param number its major and minor number, as in {@code 253:0}
 * @param busyMillis time in which requests were under way
 */
record DiskCounters(
        String number,
        String device,
        long reads,
        long readSectors,
        long readMillis,
        long writes,
        long writtenSectors,
        long writeMillis,
        long busyMillis) {
    private static final int SECTOR = 512;
    private static final Pattern LINE = Pattern.compile(
            "(?m)^ *(\\d+) +(\\d+) (\\S+) (\\d+) \\d+ (\\d+) (\\d+)" + " (\\d+) \\d+ (\\d+) (\\d+) \\d+ (\\d+)\\b");
    private static final Pattern IGNORED = Pattern.compile("(loop|ram|zram|sr|fd)\\d+");
    private static final Pattern PARTITION =
            Pattern.compile("(?:(nvme\\d+n\\d+|mmcblk\\d+|md\\d+)p|([svh]d[a-z]+|xvd[a-z]+))\\d+");
    private static final Pattern LAYER = Pattern.compile("(dm-|md).*");

    /** The disks by name, without those that are memory, files or removable. */
    static Map<String, DiskCounters> parse(String diskstats) {
        Map<String, DiskCounters> all = new LinkedHashMap<>();
        for (Matcher m = LINE.matcher(diskstats); m.find(); ) {
            if (!IGNORED.matcher(m.group(3)).matches()) {
                all.put(
                        m.group(3),
                        new DiskCounters(
                                m.group(1) + ":" + m.group(2),
                                m.group(3),
                                number(m, 4),
                                number(m, 5),
                                number(m, 6),
                                number(m, 7),
                                number(m, 8),
                                number(m, 9),
                                number(m, 10)));
            }
        }
        return all;
    }

    private static long number(Matcher m, int group) {
        return Long.parseLong(m.group(group));
    }

    /**
     * Bytes written to hardware; below 0 if there is no disk. A partition counts if its disk is not listed, and a device above others
     * (device mapper, RAID) if nothing else is.
     */
    static long writtenBytes(Map<String, DiskCounters> all) {
        long hardware = -1;
        long layers = -1;
        for (DiskCounters disk : all.values()) {
            Matcher partition = PARTITION.matcher(disk.device);
            boolean isPart =
                    partition.matches() && (all.containsKey(partition.group(1)) || all.containsKey(partition.group(2)));
            if (LAYER.matcher(disk.device).matches()) {
                layers = Math.max(0, layers) + SECTOR * disk.writtenSectors;
            } else if (!isPart) {
                hardware = Math.max(0, hardware) + SECTOR * disk.writtenSectors;
            }
        }
        return hardware >= 0 ? hardware : layers;
    }

    /** What it did between the readings; null if that was nothing, or the counters were reset. */
    @Nullable
    DiskUse since(@Nullable DiskCounters before, double seconds, boolean holdsData) {
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
                        MachineCounters.rounded(read / seconds),
                        MachineCounters.rounded(written / seconds),
                        MachineCounters.rounded((readSectors - before.readSectors) * SECTOR / 1e6 / seconds),
                        MachineCounters.rounded((writtenSectors - before.writtenSectors) * SECTOR / 1e6 / seconds),
                        each(readTime + writeTime, read + written),
                        each(readTime, read),
                        each(writeTime, written),
                        MachineCounters.rounded(Math.min(1, (busyMillis - before.busyMillis) / 1e3 / seconds)));
    }

    private static @Nullable Double each(long millis, long requests) {
        return requests == 0 ? null : Double.valueOf(MachineCounters.rounded(Math.max(0, (double) millis / requests)));
    }
}
