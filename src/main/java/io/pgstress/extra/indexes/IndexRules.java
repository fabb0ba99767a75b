package io.pgstress.extra.indexes;

/**
 * What indexes depend on besides the dump.
 *
 * @param version the server's version, such as 150004
 * @param icu whether the server has ICU's collations
 * @param canonical whether documents are canonical Extended JSON
 * @param uniqueNeedsKey whether a unique index must contain {@code _id}, because the table is distributed by it
 */
public record IndexRules(int version, boolean icu, boolean canonical, boolean uniqueNeedsKey) {
    private static final int VERSION_12 = 120_000;

    /** Whether the server has jsonpath. */
    boolean hasJsonPath() {
        return version >= VERSION_12;
    }

    /** Whether the server has collations under which different strings are equal. */
    boolean hasLooseCollations() {
        return version >= VERSION_12 && icu;
    }
}
