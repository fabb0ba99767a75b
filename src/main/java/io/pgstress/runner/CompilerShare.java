package io.pgstress.runner;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;

/** The share of this process's CPU time that the JVM's compiler uses. Not thread-safe. */
public final class CompilerShare {
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
