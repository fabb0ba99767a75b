package io.pgstress.machine;

import io.pgstress.machine.MachineUse.MemoryLimitUse;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The memory limit of a control group (the kernel's cgroup-v2 and cgroup-v1/memory). At the limit, the kernel evicts pages of the group,
 * such as cached files; those that are needed are then read again.
 *
 * @param group the directory of the group
 * @param bytes the limit
 * @param hits how often memory was needed beyond it, since the group exists
 * @param rereads pages that were evicted and read again, since the group exists; null if unknown
 * @param stalledMicros time in which processes waited for memory, since the group exists; null if unknown, as in version 1
 */
record MemoryLimit(
        String group,
        double bytes,
        long hits,
        @Nullable Long rereads,
        @Nullable Long stalledMicros) {
    private static final String LIMIT = "memory.max";
    private static final String LIMIT_1 = "memory.limit_in_bytes";
    private static final String STAT = "memory.stat";

    /** Version 1 has a limit of nearly 2^63 if there is none. */
    private static final double NONE = 1L << 60;

    private static final Pattern NUMBER = Pattern.compile("^(\\d+)$");
    private static final Pattern HITS = Pattern.compile("(?m)^max (\\d+)$");
    private static final Pattern REREADS = Pattern.compile("(?m)^workingset_refault(?:_anon|_file)? (\\d+)$");
    private static final Pattern REREADS_1 = Pattern.compile("(?m)^total_workingset_refault(?:_anon|_file)? (\\d+)$");
    private static final Pattern STALLED = Pattern.compile("(?m)^some .*total=(\\d+)$");

    /** The names of the files of a controller. */
    static List<String> files(String controller) {
        return switch (controller) {
            case ControlGroups.VERSION_2 -> List.of(LIMIT, "memory.events", STAT, "memory.pressure");
            case "memory" -> List.of(LIMIT_1, "memory.failcnt", STAT);
            default -> List.of();
        };
    }

    /** The limits of the groups that have one. */
    static List<MemoryLimit> parse(MachineFiles files) {
        return Stream.of(LIMIT, LIMIT_1)
                .flatMap(limit ->
                        ControlGroups.directoriesWith(limit, files).stream().map(group -> of(group, limit, files)))
                .filter(Objects::nonNull)
                .map(MemoryLimit.class::cast)
                .toList();
    }

    private static @Nullable MemoryLimit of(String group, String limit, MachineFiles files) {
        boolean isVersion2 = limit.equals(LIMIT);
        OptionalLong bytes = sum(NUMBER, files.text(group + "/" + limit));
        OptionalLong hits = isVersion2
                ? sum(HITS, files.text(group + "/memory.events"))
                : sum(NUMBER, files.text(group + "/memory.failcnt"));
        return bytes.isEmpty() || bytes.getAsLong() >= NONE || hits.isEmpty()
                ? null
                : new MemoryLimit(
                        group,
                        bytes.getAsLong(),
                        hits.getAsLong(),
                        orNull(sum(isVersion2 ? REREADS : REREADS_1, files.text(group + "/" + STAT))),
                        orNull(sum(STALLED, files.text(group + "/memory.pressure"))));
    }

    /** The sum of what a pattern finds; empty if that is nothing. */
    private static OptionalLong sum(Pattern pattern, String text) {
        Matcher found = pattern.matcher(text);
        return found.results().mapToLong(line -> Long.parseLong(line.group(1))).reduce(Long::sum);
    }

    private static @Nullable Long orNull(OptionalLong number) {
        return number.isPresent() ? Long.valueOf(number.getAsLong()) : null;
    }

    /** What became of the limit that was reached since an earlier reading, or else of the smallest; null if unknown. */
    static @Nullable MemoryLimitUse use(List<MemoryLimit> limits, List<MemoryLimit> before, double seconds) {
        return limits.stream()
                .flatMap(now -> before.stream()
                        .filter(then -> then.group.equals(now.group))
                        .flatMap(then -> Stream.ofNullable(now.since(then, seconds))))
                .min(Comparator.<MemoryLimitUse, Boolean>comparing(use -> use.hitsPerSecond() == 0)
                        .thenComparing(MemoryLimitUse::bytes))
                .orElse(null);
    }

    private @Nullable MemoryLimitUse since(MemoryLimit before, double seconds) {
        return hits < before.hits || seconds <= 0
                ? null
                : new MemoryLimitUse(
                        bytes,
                        MachineUse.rounded((hits - before.hits) / seconds),
                        perSecond(rereads, before.rereads, seconds),
                        perSecond(stalledMicros, before.stalledMicros, seconds * 1e6));
    }

    private static @Nullable Double perSecond(@Nullable Long now, @Nullable Long then, double seconds) {
        return now == null || then == null ? null : Double.valueOf(MachineUse.rounded((now - then) / seconds));
    }
}
