/**
 * BSON bytes: cutting a stream into documents ({@link io.pgstress.bson.DocumentReader} into
 * {@link io.pgstress.bson.Chunk}s), stepping over elements, writing samples; its subpackages convert ({@code json}), read keys
 * ({@code key}), make COPY rows ({@code copy}) and know mongodump's files ({@code dump}). Uses no other package.
 */
@NullMarked
package io.pgstress.bson;

import org.jspecify.annotations.NullMarked;
