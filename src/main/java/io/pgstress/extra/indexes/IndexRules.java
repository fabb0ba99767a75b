package io.pgstress.extra.indexes;

/**
 * What indexes depend on besides the dump.
 *
 * @param canonical whether documents are canonical Extended JSON
 * @param uniqueNeedsKey whether a unique index must contain {@code _id}, because the table is distributed by it
 */
record IndexRules(boolean canonical, boolean uniqueNeedsKey) {}
