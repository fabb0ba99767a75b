package io.pgstress.machine;

import io.pgstress.machine.MachineUse.QuotaUse;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The CPU quota of the control group of a node's processes, such as a container's (the kernel's cgroup-v2 and
 * scheduler/sched-bwc). In each period, the group may use its quota; then its processes wait for the next period.
 *
 * @param cores the quota per period, as a number of cores
 * @param periods, throttled periods in which the group ran, and those in which its quota was used up, since it exists
 */
record CpuQuota(double cores, long periods, long throttled) {
    /** Names the control groups of the process that reads it. */
    static final String GROUPS = "/proc/self/cgroup";

    private static final String ROOT = "/sys/fs/cgroup";

    /** A group of version 2, or the one of version 1 that limits the CPU. Its path never needs quoting. */
    private static final Pattern GROUP = Pattern.compile("(?m)^\\d+:((?:[a-z,]+,)?cpu(?:,[a-z,]+)?|):(/[\\w./@:-]*)$");

    private static final Pattern VERSION_2 = Pattern.compile("^(\\d+) (\\d+)$");
    private static final Pattern PERIODS = Pattern.compile("(?m)^nr_periods (\\d+)$");
    private static final Pattern THROTTLED = Pattern.compile("(?m)^nr_throttled (\\d+)$");

    /**
     * The directories where a group may be, the group's own first. In a container, the root of the file system is often the group.
     *
     * @param groups the text of {@link #GROUPS}
     */
    private static List<String> directories(String groups) {
        List<String> found = new ArrayList<>();
        for (Matcher m = GROUP.matcher(groups); m.find(); ) {
            String top = m.group(1).isEmpty() ? ROOT : ROOT + "/" + m.group(1);
            found.add((top + m.group(2)).replaceFirst("/$", ""));
            found.add(top);
        }
        return found.stream().distinct().toList();
    }

    /** The files from which {@link #parse} reads the quota. */
    static List<String> files(String groups) {
        return directories(groups).stream()
                .flatMap(d -> (d.startsWith(ROOT + "/cpu")
                                ? List.of("/cpu.stat", "/cpu.cfs_quota_us", "/cpu.cfs_period_us")
                                : List.of("/cpu.stat", "/cpu.max"))
                        .stream().map(file -> d + file))
                .toList();
    }

    /** The quota of the innermost group that has one; null if there is none. */
    static @Nullable CpuQuota parse(MachineFiles files) {
        for (String stat : files.byPath().keySet().stream()
                .filter(path -> path.endsWith("/cpu.stat"))
                .sorted((a, b) -> Integer.compare(b.length(), a.length()))
                .toList()) {
            String directory = stat.substring(0, stat.lastIndexOf('/'));
            Matcher quota = VERSION_2.matcher(
                    files.text(directory + "/cpu.max").isEmpty()
                            ? files.text(directory + "/cpu.cfs_quota_us") + " "
                                    + files.text(directory + "/cpu.cfs_period_us")
                            : files.text(directory + "/cpu.max"));
            Matcher periods = PERIODS.matcher(files.text(stat));
            Matcher throttled = THROTTLED.matcher(files.text(stat));
            if (quota.find() && periods.find() && throttled.find()) {
                return new CpuQuota(
                        Double.parseDouble(quota.group(1)) / Double.parseDouble(quota.group(2)),
                        Long.parseLong(periods.group(1)),
                        Long.parseLong(throttled.group(1)));
            }
        }
        return null;
    }

    /** What became of the quota since an earlier reading; null if that is unknown. */
    @Nullable
    QuotaUse since(@Nullable CpuQuota before) {
        return before == null || periods < before.periods || throttled < before.throttled
                ? null
                : new QuotaUse(
                        cores,
                        periods == before.periods
                                ? 0
                                : (double) (throttled - before.throttled) / (periods - before.periods));
    }
}
