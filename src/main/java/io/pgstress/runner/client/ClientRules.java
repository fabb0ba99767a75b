package io.pgstress.runner.client;

/**
 * How each client of a run behaves.
 *
 * @param resets whether used-up ids can be made available again
 * @param transaction whether each operation is a transaction
 * @param maxTries of an operation that fails for a serialization failure or a deadlock
 * @param stopOnError whether the first failed operation ends the run
 * @param sharesSessions whether a pooler lends sessions to connections by the transaction
 */
public record ClientRules(
        boolean resets, boolean transaction, int maxTries, boolean stopOnError, boolean sharesSessions) {}
