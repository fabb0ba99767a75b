package io.pgstress.bson.json;

/**
 * Counts of what was altered or lost in the documents converted so far, without rejected ones.
 *
 * @param nulDocuments documents in which U+0000 was stripped or replaced
 * @param utf8Documents documents in which bytes that are not UTF-8 were replaced
 * @param duplicateKeys repetitions of a key in its object; jsonb keeps the last
 * @param duplicateKeyDocuments documents with such keys
 * @param generatedIds documents that had no {@code _id} and were given one
 * @param legacyUuidDocuments documents with UUIDs of subtype 3, which were not altered
 */
public record Alterations(
        long nulDocuments,
        long utf8Documents,
        long duplicateKeys,
        long duplicateKeyDocuments,
        long generatedIds,
        long legacyUuidDocuments) {
    public static final Alterations NONE = new Alterations(0, 0, 0, 0, 0, 0);

    /** Only generated ids. */
    public static Alterations generated(long ids) {
        return new Alterations(0, 0, 0, 0, ids, 0);
    }

    public Alterations plus(Alterations other) {
        return new Alterations(
                nulDocuments + other.nulDocuments,
                utf8Documents + other.utf8Documents,
                duplicateKeys + other.duplicateKeys,
                duplicateKeyDocuments + other.duplicateKeyDocuments,
                generatedIds + other.generatedIds,
                legacyUuidDocuments + other.legacyUuidDocuments);
    }

    /** The difference from an earlier tally of the same converter. */
    public Alterations minus(Alterations earlier) {
        return new Alterations(
                nulDocuments - earlier.nulDocuments,
                utf8Documents - earlier.utf8Documents,
                duplicateKeys - earlier.duplicateKeys,
                duplicateKeyDocuments - earlier.duplicateKeyDocuments,
                generatedIds - earlier.generatedIds,
                legacyUuidDocuments - earlier.legacyUuidDocuments);
    }
}
