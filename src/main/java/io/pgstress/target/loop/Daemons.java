package io.pgstress.target.loop;

import java.util.concurrent.ThreadFactory;

/** Threads of the operating system that do not keep the JVM from exiting. */
public final class Daemons {
    private Daemons() {}

    /** Creates threads of this name for an executor. */
    public static ThreadFactory named(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Runs a task on a thread of its own. */
    public static Thread start(String name, Runnable task) {
        Thread thread = named(name).newThread(task);
        thread.start();
        return thread;
    }
}
