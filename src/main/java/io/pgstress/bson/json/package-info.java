/**
 * BSON documents to MongoDB Extended JSON v2, from bytes to bytes: {@link io.pgstress.bson.json.DocumentConverter} walks a document
 * and hands each value to the writer its type has in a table ({@code ValueWriters}); one class for each concern. May use
 * {@code io.pgstress.bson}.
 */
@NullMarked
package io.pgstress.bson.json;

import org.jspecify.annotations.NullMarked;
