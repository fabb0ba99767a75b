package io.pgstress.runner.client;

import io.pgstress.target.Node;
import io.pgstress.target.driver.TargetException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Waits for the clients of a run to connect, however long it takes, as long as one after the other succeeds. A server or pooler
 * that accepts connections and answers none is given up. Belongs to the run's thread.
 */
public final class ConnectPhase {
    private static final long LOOK_MILLIS = 100;

    private final Course course;
    private final List<Client> clients;
    private final List<Node> nodes;

    /**
     * @param clients in the order of their nodes
     * @param nodes each with its number of clients
     */
    public ConnectPhase(Course course, List<Client> clients, List<Node> nodes) {
        this.course = course;
        this.clients = clients;
        this.nodes = nodes;
    }

    /**
     * Returns once all are connected, or have failed.
     *
     * @param most the longest time in which no client gets connected
     * @throws TargetException if none did for so long, or the run was stopped meanwhile
     */
    public void await(Duration most) throws InterruptedException {
        long missing = course.ready().getCount();
        long since = System.nanoTime();
        while (!course.ready().await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
            long now = course.ready().getCount();
            if (now < missing) {
                missing = now;
                since = System.nanoTime();
            }
            Stop.Reason reason =
                    course.stop().reason(); // read first: a client sets its failure before it stops the others
            boolean isFailed = clients.stream().anyMatch(c -> c.failure() != null);
            if (reason != null && !isFailed) {
                throw new TargetException(reason.text() + " while " + connected() + " were connected");
            }
            if (System.nanoTime() - since > most.toNanos()) {
                if (isFailed) {
                    return; // the failure says more than that others wait
                }
                throw new TargetException(connected() + " are connected; the others wait for " + awaited()
                        + ", which has accepted none for " + most.toSeconds()
                        + " s: is it, or a pooler in front of it, full or stalled?");
            }
        }
    }

    private String connected() {
        long connected = clients.stream().filter(Client::isConnected).count();
        return connected + " of " + clients.size() + " clients";
    }

    /** The servers that clients wait for. */
    private String awaited() {
        Set<String> urls = new LinkedHashSet<>();
        int number = 0;
        for (Node node : nodes) {
            for (int i = 0; i < node.clients(); i++) {
                if (!clients.get(number++).isConnected()) {
                    urls.add(node.url());
                }
            }
        }
        return String.join(" and ", urls);
    }
}
