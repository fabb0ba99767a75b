package io.pgstress.probe.machine;

import io.pgstress.machine.CpuUse;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * CPU times in ticks since the machine's start, from {@code /proc/stat} (proc(5)).
 *
 * @param interrupts times of hardware and software interrupts
 */
record CpuTicks(long user, long system, long interrupts, long idle, long iowait, long steal) {
    private static final Pattern LINE = Pattern.compile("(?m)^cpu(\\d*) +(\\d.*)$");
    private static final int FIELDS = 8; // guest time, which follows, is part of user time

    /** The sum over all CPUs, followed by each CPU; empty if the text has none. */
    static List<CpuTicks> parse(String stat) {
        List<CpuTicks> all = new ArrayList<>();
        for (Matcher m = LINE.matcher(stat); m.find(); ) {
            long[] t = new long[FIELDS];
            String[] fields = m.group(2).trim().split(" +", -1);
            for (int i = 0; i < Math.min(FIELDS, fields.length); i++) {
                t[i] = Long.parseLong(fields[i]);
            }
            all.add(new CpuTicks(t[0] + t[1], t[2], t[5] + t[6], t[3], t[4], t[7]));
        }
        return all;
    }

    private long all() {
        return user + system + interrupts + idle + iowait + steal;
    }

    /** Ticks in which it worked, or would have if the time had not been stolen. */
    private long worked() {
        return user + system + interrupts + steal;
    }

    /** Ticks between the readings; 0 or less if the counters were reset. */
    long since(CpuTicks before) {
        return all() - before.all();
    }

    /** The busy share between the readings, 0 to 1. */
    double busySince(CpuTicks before) {
        return share(worked() - before.worked(), before);
    }

    double interruptsSince(CpuTicks before) {
        return share(interrupts - before.interrupts, before);
    }

    /** @param busiest busy share of the busiest CPU */
    CpuUse useSince(CpuTicks before, double busiest) {
        return new CpuUse(
                share(user - before.user, before),
                share(system - before.system, before),
                share(interrupts - before.interrupts, before),
                share(iowait - before.iowait, before), // a kernel may let it decrease
                share(steal - before.steal, before),
                busiest);
    }

    private double share(long ticks, CpuTicks before) {
        long all = since(before);
        return all <= 0 ? 0 : MachineCounters.rounded(Math.min(1, Math.max(0, (double) ticks / all)));
    }
}
