package io.pgstress.extra.diff;

/**
 * A document that an import with these options rejects, so that no row can be expected.
 *
 * @param id its {@code _id} as canonical Extended JSON; empty if it has none that can be shown
 * @param reason why it is rejected
 */
public record RejectedDocument(String id, String reason) {}
