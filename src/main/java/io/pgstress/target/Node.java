package io.pgstress.target;

import io.pgstress.target.driver.Connector;
import java.util.ArrayList;
import java.util.List;

/**
 * A server under load.
 *
 * @param url its masked URL, which names it in results
 * @param clients how many of the run's clients are its
 * @param sharesSessions whether a pooler lends the server's sessions to connections by the transaction
 */
public record Node(String url, int clients, Connector connector, ServerFacts facts, boolean sharesSessions) {
    /** One whose connections have sessions of their own. */
    public Node(String url, int clients, Connector connector, ServerFacts facts) {
        this(url, clients, connector, facts, false);
    }

    /** What a reader of the result has to know about the sessions there. */
    public List<String> cautions() {
        List<String> cautions = new ArrayList<>();
        if (sharesSessions) {
            cautions.add(url
                    + " is behind a transaction pooler: connections have no server session of their own, so what the"
                    + " server says of a session (settings, plans, waits) may be another client's, and waits for a"
                    + " server session count as the server's time");
        }
        if (connector.setsBySql()) {
            cautions.add(url + " is behind a pooler that refuses startup options: "
                    + String.join(", ", connector.settings().keySet()) + " set by SQL after connecting");
        }
        return cautions;
    }
}
