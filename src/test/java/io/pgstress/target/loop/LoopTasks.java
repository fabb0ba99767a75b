package io.pgstress.target.loop;

import java.lang.management.ManagementFactory;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.stream.IntStream;

/** Tasks on threads of loops, and their results. */
final class LoopTasks {
    private LoopTasks() {}

    static <T> CompletableFuture<T> on(ThreadFactory threads, Callable<T> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        threads.newThread(() -> complete(result, task)).start();
        return result;
    }

    static <T> void complete(CompletableFuture<T> result, Callable<T> task) {
        try {
            result.complete(task.call());
        } catch (Exception e) {
            result.completeExceptionally(e);
        }
    }

    /** CPU time of the threads of all loops. */
    static long cpuNanos() {
        var threads = ManagementFactory.getThreadMXBean();
        long[] ids = threads.getAllThreadIds();
        return IntStream.range(0, ids.length)
                .filter(i -> {
                    var info = threads.getThreadInfo(ids[i]);
                    return info != null && info.getThreadName().startsWith("loop-");
                })
                .mapToLong(i -> Math.max(0, threads.getThreadCpuTime(ids[i])))
                .sum();
    }
}
