package io.pgstress.extra.diff;

import org.jspecify.annotations.Nullable;

/**
 * A difference between a document and its row.
 *
 * @param path the names of fields and the numbers of array elements, from 0, with dots between them; empty for the whole
 * @param dump the value in the dump as JSON, shortened; null if there is none
 * @param table the value in the table as JSON, shortened; null if there is none
 */
public record PathDifference(
        String path, @Nullable String dump, @Nullable String table) {}
