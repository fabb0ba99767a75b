package io.pgstress.runner;

import io.pgstress.target.Node;
import io.pgstress.target.driver.TargetException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Waits for the clients of a run to connect, however long it takes, as long as they continue to succeed one after the other.
 * Gives up on a server or pooler that accepts connections but does not answer. Belongs to the run's thread.
 */
public final class ConnectPhase {
    private static final long LOOK_MILLIS = 100;

    private final Course course;
    private final List<Client> clients;
    private final List<Node> nodes;

    /**
     * @param clients in the order of their nodes
     * @param nodes the nodes with their numbers of clients
     */
    public ConnectPhase(Course course, List<Client> clients, List<Node> nodes) {
        this.course = course;
        this.clients = clients;
        this.nodes = nodes;
    }

    /**
     * Returns when all clients have connected or failed.
     *
     * @param limit maximum time without any client connecting
     * @throws TargetException if no client connected for this long, or the run was stopped
     */
    public void await(Duration limit) throws InterruptedException {
        long missing = course.ready().getCount();
        long since = System.nanoTime();
        while (!course.ready().await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
            long now = course.ready().getCount();
            if (now < missing) {
                missing = now;
                since = System.nanoTime();
            }
            Stop.Reason reason = course.stop()
                    .reason(); // read before the failures: a client sets its failure before it stops the others
            boolean isFailed = clients.stream().anyMatch(c -> c.failure() != null);
            if (reason != null && !isFailed) {
                throw new TargetException(reason.text() + " while " + connected() + " were connected");
            }
            if (System.nanoTime() - since > limit.toNanos()) {
                if (isFailed) {
                    return; // the failure is more informative than a timeout
                }
                throw new TargetException(connected() + " are connected; the others wait for " + awaited()
                        + ", which has accepted none for " + limit.toSeconds()
                        + " s: is it, or a pooler in front of it, full or stalled?");
            }
        }
    }

    private String connected() {
        long connected = clients.stream().filter(Client::isConnected).count();
        return connected + " of " + clients.size() + " clients";
    }

    /** The servers that clients are waiting for. */
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
