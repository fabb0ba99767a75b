package io.pgstress.probe.server;

import io.pgstress.result.ServerProfile.HostSample;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The counters of a server's machine at one moment, from its {@code /proc} (proc(5)).
 *
 * @param nanoTime time of the reading, on the client's clock
 * @param runSeconds time of the reading in seconds since the start of the load, pauses excluded
 * @param busyTicks, allTicks CPU time of all cores; iowait is idle
 * @param inBytes, outBytes of the network interfaces
 * @param writtenBytes of the disks; below 0: unknown
 */
record HostCounters(
        long nanoTime,
        double runSeconds,
        double loadAverage,
        long busyTicks,
        long allTicks,
        long inBytes,
        long outBytes,
        long writtenBytes) {
    /** The files that {@link #parse} expects, concatenated. */
    static final String[] FILES = {"/proc/loadavg", "/proc/stat", "/proc/net/dev", "/proc/diskstats"};

    private static final Pattern LOAD = Pattern.compile("(?m)^(\\d+\\.\\d+) \\d+\\.\\d+ \\d+\\.\\d+ \\d+/\\d+ \\d+");
    private static final Pattern CPU = Pattern.compile("(?m)^cpu +(\\d.*)$");
    private static final Pattern INTERFACE =
            Pattern.compile("(?m)^ *([^\\s:]+): *(\\d+)(?: +\\d+){7} +(\\d+)(?: +\\d+){7} *$");
    private static final Pattern DISK = Pattern.compile(
            "(?m)^ *\\d+ +\\d+ (?:[svh]d[a-z]+|xvd[a-z]+|nvme\\d+n\\d+|mmcblk\\d+)(?: \\d+){6} (\\d+)\\b");
    private static final int SECTOR = 512;

    /**
     * Parses the text of the files.
     *
     * @param loopback whether to count the loopback interface: it is the network if the whole cluster is on one machine
     */
    static HostCounters parse(String text, boolean loopback, long nanoTime, double runSeconds) {
        Matcher load = LOAD.matcher(text);
        Matcher cpu = CPU.matcher(text);
        if (!load.find() || !cpu.find()) {
            throw new IllegalArgumentException("it has no load average and no CPU time");
        }
        long all = 0;
        long idle = 0;
        String[] ticks = cpu.group(1).trim().split(" +", -1);
        for (int i = 0; i < Math.min(8, ticks.length); i++) { // guest time, which follows, is part of user time
            all += Long.parseLong(ticks[i]);
            idle += i == 3 || i == 4 ? Long.parseLong(ticks[i]) : 0;
        }
        long in = 0;
        long out = 0;
        for (Matcher m = INTERFACE.matcher(text); m.find(); ) {
            boolean counts = loopback || !m.group(1).equals("lo");
            in += counts ? Long.parseLong(m.group(2)) : 0;
            out += counts ? Long.parseLong(m.group(3)) : 0;
        }
        long written = -1;
        for (Matcher m = DISK.matcher(text); m.find(); ) {
            written = Math.max(0, written) + SECTOR * Long.parseLong(m.group(1));
        }
        return new HostCounters(
                nanoTime, runSeconds, Double.parseDouble(load.group(1)), all - idle, all, in, out, written);
    }

    /**
     * The difference to an earlier reading; null if no time has passed or the counters were reset.
     *
     * @param measureStart start of the measurement in seconds since the start of the load
     */
    @Nullable
    HostSample since(HostCounters before, double measureStart) {
        double seconds = (nanoTime - before.nanoTime) / 1e9;
        if (seconds <= 0 || allTicks <= before.allTicks || inBytes < before.inBytes || outBytes < before.outBytes) {
            return null;
        }
        return new HostSample(
                before.runSeconds - measureStart,
                seconds,
                (double) (busyTicks - before.busyTicks) / (allTicks - before.allTicks),
                loadAverage,
                (inBytes - before.inBytes) * 8 / 1e6 / seconds,
                (outBytes - before.outBytes) * 8 / 1e6 / seconds,
                writtenBytes < before.writtenBytes || before.writtenBytes < 0
                        ? null
                        : (writtenBytes - before.writtenBytes) / 1e6 / seconds);
    }
}
