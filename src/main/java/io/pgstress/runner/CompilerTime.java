package io.pgstress.runner;

import com.sun.management.OperatingSystemMXBean;
import io.pgstress.machine.ThreadTimes;
import io.pgstress.verdict.Judge;
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
    private long waitNanos;
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
        elapsed = elapsedMillis();
        startFromLastReading();
    }

    private void startFromLastReading() {
        nanos = 0;
        waitNanos = 0;
        elapsedAtStart = elapsed;
    }

    private Map<String, ThreadTimes> threads() {
        return ThreadTimes.read(tasks, name -> NAME.matcher(name).lookingAt());
    }

    /** Adds what was used since the last reading. */
    public void read() {
        Map<String, ThreadTimes> now = threads();
        now.forEach((thread, used) -> {
            ThreadTimes before = threads.getOrDefault(thread, NEW);
            nanos += Math.max(0, used.cpuNanos() - before.cpuNanos());
            waitNanos += Math.max(0, used.waitNanos() - before.waitNanos());
        });
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

    /**
     * Seconds from the start to the last reading in which the compiler's threads ran or waited for a core, summed over the threads; null if
     * unknown. Beside many clients and server processes, a compiler with much to do uses little CPU time.
     */
    public @Nullable Double wantedSeconds() {
        Double seconds = seconds();
        return seconds == null || threads.isEmpty() ? seconds : Double.valueOf(seconds + waitNanos / 1e9);
    }

    /** The JVM's own figure; below 0 if unknown. */
    private static long elapsedMillis() {
        CompilationMXBean compiler = ManagementFactory.getCompilationMXBean(); // null without a compiler
        return compiler != null && compiler.isCompilationTimeMonitoringSupported()
                ? compiler.getTotalCompilationTime()
                : -1;
    }

    /** Whether the JVM's compiler has work that matters to a measurement. Not thread-safe. */
    public static final class CompilerWork {
        /** The compiler has much to do if a thread of it ran or waited for a core for more than this share of the time. */
        private static final double MAX_WANTED = 0.5;

        private final CompilerTime compiler;
        private final LongSupplier processNanos;
        private final LongSupplier clock;
        private long usedBefore;
        private long timeBefore;

        /** @param clock a monotonic clock in nanoseconds */
        public CompilerWork(LongSupplier clock) {
            this(
                    new CompilerTime(),
                    ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())::getProcessCpuTime,
                    clock);
        }

        CompilerWork(CompilerTime compiler, LongSupplier processNanos, LongSupplier clock) {
            this.compiler = compiler;
            this.processNanos = processNanos;
            this.clock = clock;
            this.usedBefore = processNanos.getAsLong();
            this.timeBefore = clock.getAsLong();
        }

        /**
         * Whether, since the previous call or since the object was created, the compiler used more than {@link Judge#MAX_COMPILER_SHARE} of
         * this process's CPU time and more than {@link Judge#MIN_COMPILER_CORE} of a core, or mostly waited for a core; false if unknown.
         */
        public boolean isNotableSinceLast() {
            compiler.read();
            Double seconds = compiler.seconds();
            Double wanted = compiler.wantedSeconds();
            long now = processNanos.getAsLong();
            long time = clock.getAsLong();
            long used = now - usedBefore;
            long passed = time - timeBefore;
            usedBefore = now;
            timeBefore = time;
            compiler.startFromLastReading();
            return seconds != null
                    && wanted != null
                    && (seconds * 1e9 > Math.max(Judge.MAX_COMPILER_SHARE * used, Judge.MIN_COMPILER_CORE * passed)
                            || wanted * 1e9 > MAX_WANTED * passed);
        }
    }
}
