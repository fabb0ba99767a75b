package io.pgstress.machine;

import io.pgstress.machine.MachineCounters.CpuTicks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Times of the CPUs to which this process is limited, at one moment: by its affinity (taskset(1)), or by the cpuset of its control group.
 *
 * @param each in the order of their numbers; empty if it may use all CPUs, or if that is unknown
 */
public record UsableCpus(List<CpuTicks> each) {
    private static final String STATUS = "/proc/self/status";

    /** Numbers and ranges of numbers, as in {@code 0-3,8} (proc(5)). */
    private static final Pattern ALLOWED = Pattern.compile("(?m)^Cpus_allowed_list:\\s*([0-9,-]+)\\s*$");

    /** Not limited, or unknown. */
    public static final UsableCpus ALL = new UsableCpus(List.of());

    /** Reads them; on other systems than Linux they are unknown. */
    public static UsableCpus read() {
        return parse(MachineFiles.local(List.of(STATUS, CpuTicks.FILE)));
    }

    static UsableCpus parse(MachineFiles files) {
        Matcher allowed = ALLOWED.matcher(files.text(STATUS));
        if (!allowed.find()) {
            return ALL;
        }
        List<CpuTicks> usable = new ArrayList<>();
        Map<Integer, CpuTicks> all = CpuTicks.byNumber(files.text(CpuTicks.FILE));
        all.forEach((number, ticks) -> {
            if (contains(allowed.group(1), number)) {
                usable.add(ticks);
            }
        });
        return usable.size() == all.size() ? ALL : new UsableCpus(usable);
    }

    private static boolean contains(String list, int number) {
        for (String range : list.split(",", -1)) {
            String[] ends = range.split("-", -1);
            if (number >= Integer.parseInt(ends[0]) && number <= Integer.parseInt(ends[ends.length - 1])) {
                return true;
            }
        }
        return false;
    }

    /** The share of their time in which they were busy since then, 0 to 1; below 0 if it was not limited to as many then and now. */
    public double busySince(UsableCpus before) {
        if (each.isEmpty() || each.size() != before.each.size()) {
            return -1;
        }
        double busy = 0;
        for (int i = 0; i < each.size(); i++) {
            busy += each.get(i).busySince(before.each.get(i));
        }
        return busy / each.size();
    }
}
