package io.pgstress.bson.copy;

import io.pgstress.bson.ByteSink;
import io.pgstress.bson.json.Fault;
import org.jspecify.annotations.Nullable;

/** Writes keys of one form as the content of a field, in one format. */
@FunctionalInterface
interface KeyField {
    /**
     * Appends the value of this type at {@code at}, which ends before {@code limit}; null, or what is wrong with it, and then the sink may
     * hold a part of it.
     */
    @Nullable
    Fault write(int type, byte[] bytes, int at, int limit, ByteSink out);
}
