/**
 * Reads and writes BSON: splits a stream into documents ({@link io.pgstress.bson.DocumentReader} into {@link
 * io.pgstress.bson.Chunk}s), skips elements, writes samples. Its subpackages convert documents ({@code json}), read keys
 * ({@code key}), write COPY rows ({@code copy}) decompress zstd data ({@code zstd}), unpack time series ({@code timeseries}, {@code column}) and read mongodump's files ({@code dump}). Uses no other package.
 */
@NullMarked
package io.pgstress.bson;

import org.jspecify.annotations.NullMarked;
