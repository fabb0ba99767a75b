/**
 * Rows of {@code (_id, data jsonb)} in the bytes that PostgreSQL's COPY reads, text or binary:
 * {@link io.pgstress.bson.copy.CopyRows} makes one of each document. May use {@code io.pgstress.bson}, its {@code json} and {@code key}.
 */
@NullMarked
package io.pgstress.bson.copy;

import org.jspecify.annotations.NullMarked;
