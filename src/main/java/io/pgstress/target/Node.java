package io.pgstress.target;

import io.pgstress.target.driver.Connector;

/**
 * A server under load.
 *
 * @param url its masked URL, which names it in results
 * @param clients how many of the run's clients are its
 */
public record Node(String url, int clients, Connector connector, ServerFacts facts) {}
