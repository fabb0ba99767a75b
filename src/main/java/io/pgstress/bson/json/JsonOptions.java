package io.pgstress.bson.json;

import io.pgstress.bson.text.NulPolicy;
import io.pgstress.bson.text.Utf8Policy;

/**
 * How documents become JSON, and what is done with what jsonb cannot hold.
 *
 * @param maxDepth the deepest nesting of documents and arrays that is converted, the document itself being 1
 */
public record JsonOptions(
        ExtendedJson mode, NulPolicy nul, Utf8Policy utf8, DuplicateKeyPolicy duplicateKeys, int maxDepth) {
    /**
     * MongoDB itself stores 100 levels (180 inside). PostgreSQL's jsonb parser recurses: PostgreSQL 15 with its default
     * {@code max_stack_depth} of 2 MB takes over 12,000 levels, with 100 kB under 1,000. So this leaves room for smaller stacks and for the
     * levels that wrappers add.
     */
    public static final int DEFAULT_MAX_DEPTH = 1_000;

    /** The deepest {@code maxDepth} that can be asked for. */
    public static final int LARGEST_MAX_DEPTH = 100_000;

    public JsonOptions {
        if (maxDepth < 1 || maxDepth > LARGEST_MAX_DEPTH) {
            throw new IllegalArgumentException("maxDepth: must be 1 to " + LARGEST_MAX_DEPTH + ", was " + maxDepth);
        }
    }

    /** Nothing is altered: what jsonb cannot hold is rejected, of duplicate keys the last counts. */
    public static JsonOptions of(ExtendedJson mode) {
        return new JsonOptions(
                mode, NulPolicy.REJECT, Utf8Policy.REJECT, DuplicateKeyPolicy.KEEP_LAST, DEFAULT_MAX_DEPTH);
    }
}
