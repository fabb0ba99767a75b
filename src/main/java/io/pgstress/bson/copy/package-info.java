/**
 * Rows {@code (_id, data jsonb)} in the text or binary format of PostgreSQL's COPY: {@link io.pgstress.bson.copy.CopyRows}
 * converts each document to one. May use {@code io.pgstress.bson}, its {@code json} and {@code key}.
 */
@NullMarked
package io.pgstress.bson.copy;

import org.jspecify.annotations.NullMarked;
