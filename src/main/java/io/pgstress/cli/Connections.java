package io.pgstress.cli;

import io.pgstress.plan.RunSpec;
import io.pgstress.target.Node;
import io.pgstress.target.Target;
import io.pgstress.target.driver.TargetException;

/** Whether each server has as many free connections as the run opens there. */
final class Connections {
    /** The run's own: facts, resets, counters. */
    private static final int CONTROL = 3;

    private Connections() {}

    /** @throws TargetException with both numbers where it has not */
    static void check(Target target, RunSpec spec) {
        for (Node node : target.nodes()) {
            if (node.sharesSessions()) {
                continue; // the pooler takes more connections than the server
            }
            int load = spec.pool().kind().equals("none") || spec.pool().size() == 0
                    ? node.clients()
                    : spec.pool().size();
            int free = node.facts().freeConnections();
            if (load + CONTROL > free) {
                throw new TargetException(node.url() + " has " + free + " free connections (max_connections "
                        + node.facts().maxConnections() + "), but " + load + " clients and " + CONTROL
                        + " control connections are needed: fewer --threads, a --pool with a smaller --pool-size, or a"
                        + " larger max_connections");
            }
        }
    }
}
