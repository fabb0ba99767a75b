package io.pgstress.runner;

/**
 * How each client of a run behaves.
 *
 * @param resets whether used-up ids can be made available again
 * @param transaction whether each operation is a transaction
 * @param maxTries maximum executions of an operation that fails with a serialization failure or a deadlock
 * @param stopOnError whether the first failed operation ends the run
 * @param sharesSessions whether a pooler assigns sessions to connections per transaction
 */
public record ClientRules(
        boolean resets, boolean transaction, int maxTries, boolean stopOnError, boolean sharesSessions) {}
