package io.pgstress.machine;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * What a thread of this process did since its start, from {@code /proc/self/task} (the kernel's scheduler/sched-stats).
 *
 * @param cpuNanos time on a core
 * @param waitNanos time of waiting for a core
 * @param turns how often it got one
 */
public record ThreadTimes(long cpuNanos, long waitNanos, long turns) {
    /** A directory for each thread of this process. */
    public static final Path TASKS = Path.of("/proc/self/task");

    /**
     * The threads that are alive, by number; empty if the kernel does not show them.
     *
     * @param hasName chooses threads by their names, of which the kernel keeps 15 characters
     */
    public static Map<String, ThreadTimes> read(Path tasks, Predicate<String> hasName) {
        Map<String, ThreadTimes> found = new HashMap<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(tasks)) {
            for (Path thread : all) {
                addTo(found, thread, hasName);
            }
        } catch (IOException | DirectoryIteratorException | NumberFormatException e) {
            return Map.of(); // another system, or another kernel
        }
        return found;
    }

    private static void addTo(Map<String, ThreadTimes> found, Path thread, Predicate<String> hasName)
            throws IOException {
        try {
            if (hasName.test(Files.readString(thread.resolve("comm")).strip())) {
                String[] times =
                        Files.readString(thread.resolve("schedstat")).strip().split(" ", -1);
                found.put(
                        String.valueOf(thread.getFileName()),
                        new ThreadTimes(Long.parseLong(times[0]), Long.parseLong(times[1]), Long.parseLong(times[2])));
            }
        } catch (IOException e) {
            if (Files.exists(thread)) {
                throw e; // a kernel without these statistics; otherwise the thread has ended
            }
        }
    }
}
