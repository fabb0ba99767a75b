package io.pgstress.runner;

import com.sun.management.OperatingSystemMXBean;
import io.pgstress.machine.ThreadTimes;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The time that the JVM's compiler has needed since the start. On Linux, the CPU time of its threads; elsewhere the JVM's
 * own figure, which includes the compiler's waits for a core. On a busy machine these can be several times as long. The JVM ends
 * compiler threads that have nothing to do; what one used after the last reading is lost. Not thread-safe.
 */
public final class CompilerTime {
    /** The names of HotSpot's and Graal's compiler threads, which the kernel cuts to 15 characters. */
    private static final Pattern NAME = Pattern.compile("C[12] CompilerThr|JVMCI");

    private static final ThreadTimes NEW = new ThreadTimes(0, 0, 0);

    private final Path tasks;
    private Map<String, ThreadTimes> threads = Map.of();
    private long nanos;
    private long elapsedAtStart;
    private long elapsed;

    public CompilerTime() {
        this(ThreadTimes.TASKS);
    }

    /** @param tasks a directory for each thread */
    CompilerTime(Path tasks) {
        this.tasks = tasks;
        start();
    }

    /** Starts again from 0. */
    public void start() {
        threads = threads();
        nanos = 0;
        elapsedAtStart = elapsedMillis();
        elapsed = elapsedAtStart;
    }

    private Map<String, ThreadTimes> threads() {
        return ThreadTimes.read(tasks, name -> NAME.matcher(name).lookingAt());
    }

    /** Adds what was used since the last reading. */
    public void read() {
        Map<String, ThreadTimes> now = threads();
        now.forEach((thread, used) -> nanos +=
                Math.max(0, used.cpuNanos() - threads.getOrDefault(thread, NEW).cpuNanos()));
        threads = now;
        elapsed = elapsedMillis();
    }

    /** Seconds from the start to the last reading; null if unknown. */
    public @Nullable Double seconds() {
        if (!threads.isEmpty()) {
            return nanos / 1e9;
        }
        return elapsed < 0 ? null : Double.valueOf((elapsed - elapsedAtStart) / 1e3);
    }

    /** The JVM's own figure; below 0 if unknown. */
    private static long elapsedMillis() {
        CompilationMXBean compiler = ManagementFactory.getCompilationMXBean(); // null without a compiler
        return compiler != null && compiler.isCompilationTimeMonitoringSupported()
                ? compiler.getTotalCompilationTime()
                : -1;
    }

    /** The share of this process's CPU time that the JVM's compiler uses. Not thread-safe. */
    public static final class CompilerShare {
        private final CompilerTime compiler;
        private final LongSupplier processNanos;
        private long usedBefore;

        public CompilerShare() {
            this(
                    new CompilerTime(),
                    ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())::getProcessCpuTime);
        }

        CompilerShare(CompilerTime compiler, LongSupplier processNanos) {
            this.compiler = compiler;
            this.processNanos = processNanos;
            this.usedBefore = processNanos.getAsLong();
        }

        /**
         * The share since the previous call, or since the object was created; 0 if unknown. On systems other than Linux, it may exceed 1; see
         * {@link CompilerTime}.
         */
        public double sinceLast() {
            compiler.read();
            Double seconds = compiler.seconds();
            long now = processNanos.getAsLong();
            long used = now - usedBefore;
            usedBefore = now;
            compiler.start();
            return seconds == null || used <= 0 ? 0 : seconds * 1e9 / used;
        }
    }
}
