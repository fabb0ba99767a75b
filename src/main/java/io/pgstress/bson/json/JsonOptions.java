package io.pgstress.bson.json;

import java.util.Locale;

/**
 * How documents are converted to JSON, and what happens to contents that jsonb cannot store.
 *
 * @param maxDepth maximum nesting of documents and arrays; the document itself counts as 1
 */
public record JsonOptions(
        ExtendedJson mode,
        NulPolicy nul,
        Utf8Policy utf8,
        DuplicateKeyPolicy duplicateKeys,
        int maxDepth,
        LegacyUuids uuids) {
    /**
     * MongoDB stores up to 100 levels (180 internally). PostgreSQL's jsonb parser recurses: PostgreSQL 15 accepts over 12,000
     * levels with the default {@code max_stack_depth} of 2 MB, but under 1,000 with 100 kB. The default leaves room for smaller
     * stacks and for the levels that wrappers add.
     */
    public static final int DEFAULT_MAX_DEPTH = 1_000;

    /** Upper limit of {@code maxDepth}. */
    public static final int LARGEST_MAX_DEPTH = 100_000;

    public JsonOptions {
        if (maxDepth < 1 || maxDepth > LARGEST_MAX_DEPTH) {
            throw new IllegalArgumentException("maxDepth: must be 1 to " + LARGEST_MAX_DEPTH + ", was " + maxDepth);
        }
    }

    /** Options that keep old UUIDs as they are. */
    public JsonOptions(
            ExtendedJson mode, NulPolicy nul, Utf8Policy utf8, DuplicateKeyPolicy duplicateKeys, int maxDepth) {
        this(mode, nul, utf8, duplicateKeys, maxDepth, LegacyUuids.KEEP);
    }

    /** Those of the options that decide how an accepted value is written: an import with others is another import. */
    public String values() {
        return (mode + " " + uuids).toLowerCase(Locale.ROOT);
    }

    /** Options that alter nothing: what jsonb cannot store is rejected, and the last of duplicate keys counts. */
    public static JsonOptions of(ExtendedJson mode) {
        return new JsonOptions(
                mode, NulPolicy.REJECT, Utf8Policy.REJECT, DuplicateKeyPolicy.KEEP_LAST, DEFAULT_MAX_DEPTH);
    }

    /** What happens if an object repeats a key. jsonb keeps the last. */
    public enum DuplicateKeyPolicy {
        /** Repetitions are counted; all are written and jsonb keeps the last. */
        KEEP_LAST,
        /** The document is rejected. */
        REJECT
    }

    /** The two forms of MongoDB Extended JSON v2. */
    public enum ExtendedJson {
        /** Numbers as JSON numbers, dates of the years 1970 to 9999 as ISO-8601. */
        RELAXED,
        /** Every number and date in a wrapper that names its type. */
        CANONICAL
    }

    /** What happens to invalid UTF-8. */
    public enum Utf8Policy {
        /** The document is rejected. */
        REJECT,
        /** Each ill-formed sequence (maximal subpart, as Unicode recommends) is replaced with U+FFFD. */
        REPLACE
    }

    /** What happens to the character U+0000 in a string, which jsonb cannot store. (BSON keys cannot contain it.) */
    public enum NulPolicy {
        /** The document is rejected. */
        REJECT,
        /** The character is removed. */
        STRIP,
        /** The character is replaced with U+FFFD. */
        REPLACE
    }
}
