package io.pgstress.probe.machine;

import java.util.List;
import java.util.stream.Stream;

/** The CPU time of a group of processes, from their {@code /proc/PID/stat} (proc(5)). */
public final class ProcessTicks {
    /** Stands for the lines of the {@code stat} files of the node's own processes, which is not one file. */
    public static final String PROCESSES = "processes";

    /** Of this process. */
    static final String OWN_STAT = "/proc/self/stat";

    public static final long UNKNOWN = -1;

    /** Where utime, stime, cutime and cstime are after the name. */
    private static final int FIRST = 12;

    private static final int FIELDS = 4;

    private ProcessTicks() {}

    /**
     * The time of these processes and of their children that have ended. If all processes have a common ancestor among them, this
     * counts each one from its start until after its end.
     *
     * @param lines one per process
     * @return ticks; {@link #UNKNOWN} without lines
     */
    public static long parse(String lines) {
        List<String> all = lines.lines().filter(line -> line.contains(") ")).toList();
        return all.isEmpty()
                ? UNKNOWN
                : all.stream().mapToLong(ProcessTicks::ofLine).sum();
    }

    /** The name in parentheses may contain anything. */
    private static long ofLine(String line) {
        String[] fields = line.substring(line.lastIndexOf(") ") + 1).split(" ", -1);
        return fields.length < FIRST + FIELDS
                ? 0
                : Stream.of(fields)
                        .skip(FIRST)
                        .limit(FIELDS)
                        .mapToLong(Long::parseLong)
                        .sum();
    }
}
