package io.pgstress.bson.copy;

import io.pgstress.bson.ByteSink;
import io.pgstress.bson.json.Fault;
import org.jspecify.annotations.Nullable;

/** Writes keys of one form as the contents of a field, in one format. */
@FunctionalInterface
interface KeyField {
    /**
     * Appends the value of this type at {@code at}, which ends before {@code limit}. Returns null, or a fault, in which case
     * the sink may have part of the value.
     */
    @Nullable
    Fault write(int type, byte[] bytes, int at, int limit, ByteSink out);
}
