/**
 * Decodes BSON columns (binary subtype 7), the compressed form of the values of a field in the buckets of MongoDB's time series.
 * The format is that of the server ({@code src/mongo/bson/column} of its repository, README.md). May use {@code
 * io.pgstress.bson}.
 */
@NullMarked
package io.pgstress.bson.column;

import org.jspecify.annotations.NullMarked;
