package io.pgstress.machine;

import io.pgstress.machine.MachineUse.QuotaUse;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The CPU quota of a control group (the kernel's cgroup-v2 and scheduler/sched-bwc). In each period, the group may use its quota; then
 * its processes wait for the next period.
 *
 * @param group the directory of the group
 * @param limit null: the group has no quota now
 * @param throttled periods in which the quota was used up, since the group exists
 * @param usedNanos CPU time of the group since it exists; null if unknown
 */
record CpuQuota(
        String group,
        @Nullable Limit limit,
        long throttled,
        @Nullable Long usedNanos) {
    /**
     * A quota.
     *
     * @param cores the quota per period, as a number of cores
     * @param periodSeconds duration of a period
     */
    record Limit(double cores, double periodSeconds) {}

    private static final String STAT = "cpu.stat";
    private static final String USAGE = "cpuacct.usage";
    private static final Pattern LIMITED = Pattern.compile("^(\\d+) (\\d+)$");
    private static final Pattern THROTTLED = Pattern.compile("(?m)^nr_throttled (\\d+)$");
    private static final Pattern USED_MICROS = Pattern.compile("(?m)^usage_usec (\\d+)$");

    /** The names of the files of a controller. */
    static List<String> files(String controller) {
        return switch (controller) {
            case ControlGroups.VERSION_2 -> List.of(STAT, "cpu.max");
            case "cpu" -> List.of(STAT, "cpu.cfs_quota_us", "cpu.cfs_period_us");
            case "cpuacct" -> List.of(USAGE);
            default -> List.of();
        };
    }

    /** The groups that may have a quota: one may be set later. */
    static List<CpuQuota> parse(MachineFiles files) {
        return ControlGroups.directoriesWith(STAT, files).stream()
                .map(group -> of(group, files))
                .filter(Objects::nonNull)
                .map(CpuQuota.class::cast)
                .toList();
    }

    private static @Nullable CpuQuota of(String group, MachineFiles files) {
        String version2 = files.text(group + "/cpu.max");
        Matcher limit = LIMITED.matcher(
                version2.isEmpty()
                        ? files.text(group + "/cpu.cfs_quota_us") + " " + files.text(group + "/cpu.cfs_period_us")
                        : version2);
        Matcher throttled = THROTTLED.matcher(files.text(group + "/" + STAT));
        return throttled.find()
                ? new CpuQuota(
                        group,
                        limit.find()
                                ? new Limit(
                                        Double.parseDouble(limit.group(1)) / Double.parseDouble(limit.group(2)),
                                        Double.parseDouble(limit.group(2)) / 1e6)
                                : null,
                        Long.parseLong(throttled.group(1)),
                        usedNanos(group, files))
                : null;
    }

    private static @Nullable Long usedNanos(String group, MachineFiles files) {
        Matcher micros = USED_MICROS.matcher(files.text(group + "/" + STAT));
        if (micros.find()) {
            return Long.parseLong(micros.group(1)) * 1000;
        }
        String path = path(group);
        return ControlGroups.directoriesWith(USAGE, files).stream()
                .filter(directory -> path(directory).equals(path))
                .findFirst()
                .map(directory -> Long.valueOf(files.text(directory + "/" + USAGE)))
                .orElse(null);
    }

    /** The path of a group of version 1 within its hierarchy: the time may be counted in another hierarchy than that of the quota. */
    private static String path(String directory) {
        return directory.substring(ControlGroups.ROOT.length()).replaceFirst("^/[^/]*", "");
    }

    /**
     * The groups of a reading, with the quotas that were set later, and those to which processes were moved later: how much CPU they used
     * of these is unknown.
     *
     * @param more of later readings
     */
    static List<CpuQuota> withLater(List<CpuQuota> first, List<CpuQuota> more) {
        Map<String, CpuQuota> all = new LinkedHashMap<>();
        first.forEach(one -> all.put(one.group, one));
        more.forEach(one -> all.merge(
                one.group,
                new CpuQuota(one.group, one.limit, one.throttled, null),
                (known, later) -> new CpuQuota(
                        known.group,
                        later.limit == null ? known.limit : later.limit,
                        known.throttled,
                        known.usedNanos)));
        return List.copyOf(all.values());
    }

    /** What became of the quota that held the processes up most since an earlier reading, or else the smallest; null if unknown. */
    static @Nullable QuotaUse use(List<CpuQuota> quotas, List<CpuQuota> before, double seconds) {
        return quotas.stream()
                .flatMap(now -> before.stream()
                        .filter(then -> then.group.equals(now.group))
                        .flatMap(then -> Stream.ofNullable(now.since(then, seconds))))
                .min(Comparator.comparing(QuotaUse::throttled).reversed().thenComparing(QuotaUse::cores))
                .orElse(null);
    }

    /** The kernel counts only periods in which the group ran, so an idle group may have used up its quota in most of them. */
    private @Nullable QuotaUse since(CpuQuota before, double seconds) {
        Limit held = limit == null ? before.limit : limit;
        return held == null || throttled < before.throttled || seconds <= 0
                ? null
                : new QuotaUse(
                        group,
                        held.cores,
                        MachineUse.rounded(Math.min(1, (throttled - before.throttled) * held.periodSeconds / seconds)),
                        usedNanos == null || before.usedNanos == null
                                ? null
                                : Double.valueOf(MachineUse.rounded((usedNanos - before.usedNanos) / 1e9 / seconds)));
    }
}
