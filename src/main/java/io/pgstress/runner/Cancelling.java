package io.pgstress.runner;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Asks the servers to cancel clients' statements. A server notices a closed socket only when it sends something, and keeps
 * its locks until then. A server that does not accept the request in time is ignored.
 */
public final class Cancelling {
    public static final long MAX_MILLIS = 1_000;
    private static final int AT_ONCE = 8;

    private Cancelling() {}

    /**
     * Ends the clients that are still at work: cancels their statements, closes their sockets and interrupts their threads.
     *
     * @param maxMillis maximum time for the servers to cancel the statements
     */
    public static void breakOff(List<Client> clients, long maxMillis) throws InterruptedException {
        List<Client> busy = clients.stream().filter(c -> !c.hasEnded()).toList();
        cancel(busy, maxMillis);
        for (Client client : busy) {
            if (!client.hasEnded()) {
                client.abort();
                client.interrupt();
            }
        }
    }

    /** @param maxMillis maximum time for the servers; requests in progress continue after it */
    public static void cancel(List<Client> clients, long maxMillis) throws InterruptedException {
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
            threads.invokeAll(all, maxMillis, TimeUnit.MILLISECONDS);
        } finally {
            threads.shutdownNow();
        }
    }
}
