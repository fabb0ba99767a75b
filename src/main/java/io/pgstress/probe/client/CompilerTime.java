package io.pgstress.probe.client;

import java.io.IOException;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A reading of the time that the JVM's compiler has needed. On Linux, the CPU time of its threads; elsewhere the JVM's own figure,
 * which includes the compiler's waits for a core. On a busy machine these can be several times as long.
 *
 * @param threadNanos CPU time of each compiler thread that is alive, by number of the thread; empty if not readable
 * @param elapsedMillis the JVM's own figure; below 0 if unknown
 */
record CompilerTime(Map<String, Long> threadNanos, long elapsedMillis) {
    /** HotSpot's names, cut to 15 characters by the kernel. */
    private static final Pattern NAME = Pattern.compile("C[12] CompilerThr");

    static CompilerTime read() {
        return new CompilerTime(threads(Path.of("/proc/self/task")), elapsed());
    }

    /** Seconds since an earlier reading, without those of threads that have ended meanwhile; null if unknown. */
    @Nullable
    Double secondsSince(CompilerTime before) {
        if (!threadNanos.isEmpty() && !before.threadNanos.isEmpty()) {
            long nanos = 0;
            for (Map.Entry<String, Long> thread : threadNanos.entrySet()) {
                nanos += thread.getValue() - before.threadNanos.getOrDefault(thread.getKey(), 0L);
            }
            return nanos / 1e9;
        }
        return elapsedMillis < 0 ? null : Double.valueOf((elapsedMillis - before.elapsedMillis) / 1e3);
    }

    /** Empty if the kernel does not show them. */
    static Map<String, Long> threads(Path tasks) {
        Map<String, Long> found = new HashMap<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(tasks)) {
            for (Path thread : all) {
                addTo(found, thread);
            }
        } catch (IOException | DirectoryIteratorException | NumberFormatException e) {
            return Map.of(); // another system, or another kernel
        }
        return found;
    }

    private static void addTo(Map<String, Long> found, Path thread) throws IOException {
        try {
            if (NAME.matcher(Files.readString(thread.resolve("comm"))).lookingAt()) {
                String cpuNanos = Files.readString(thread.resolve("schedstat")).split(" ", 2)[0];
                found.put(String.valueOf(thread.getFileName()), Long.parseLong(cpuNanos));
            }
        } catch (IOException e) {
            if (Files.exists(thread)) {
                throw e; // a kernel without these statistics; otherwise the thread has ended
            }
        }
    }

    private static long elapsed() {
        CompilationMXBean compiler = ManagementFactory.getCompilationMXBean(); // null without a compiler
        return compiler != null && compiler.isCompilationTimeMonitoringSupported()
                ? compiler.getTotalCompilationTime()
                : -1;
    }
}
