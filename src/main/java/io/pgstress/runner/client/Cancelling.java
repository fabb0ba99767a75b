package io.pgstress.runner.client;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Has the servers break off what they still do for clients: a closed socket alone they notice when they have something to
 * send, and keep their locks until then. A server that does not take it in within some time is left alone.
 */
public final class Cancelling {
    public static final long MAX_MILLIS = 1_000;
    private static final int AT_ONCE = 8;

    private Cancelling() {}

    /** @param mostMillis how long the servers may take; requests that are under way go on after that */
    public static void cancel(List<Client> clients, long mostMillis) throws InterruptedException {
        if (clients.isEmpty()) {
            return;
        }
        ExecutorService threads = Executors.newFixedThreadPool(Math.min(AT_ONCE, clients.size()), task -> {
            Thread daemon = new Thread(task, "cancel");
            daemon.setDaemon(true);
            return daemon;
        });
        try {
            List<Callable<Boolean>> all = clients.stream()
                    .<Callable<Boolean>>map(client -> () -> {
                        client.cancel();
                        return true;
                    })
                    .toList();
            threads.invokeAll(all, mostMillis, TimeUnit.MILLISECONDS);
        } finally {
            threads.shutdownNow();
        }
    }
}
