package io.pgstress.fleet;

/**
 * A message and the test that it belongs to.
 *
 * @param test the test's random number; 0 if the message belongs to none
 */
public record Envelope(long test, Message message) {}
