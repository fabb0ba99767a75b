/**
 * Converts BSON documents to MongoDB Extended JSON v2, from bytes to bytes: {@link io.pgstress.bson.json.DocumentConverter}
 * walks a document and passes each value to the writer of its type ({@code ValueWriters}). May use {@code io.pgstress.bson}
 * and its keys, numbers and text.
 */
@NullMarked
package io.pgstress.bson.json;

import org.jspecify.annotations.NullMarked;
