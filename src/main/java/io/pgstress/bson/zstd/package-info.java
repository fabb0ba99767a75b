/**
 * Decompresses zstd data (RFC 8878) with zstd-jni, the only package that names this library. May use {@code io.pgstress.bson}.
 */
@NullMarked
package io.pgstress.bson.zstd;

import org.jspecify.annotations.NullMarked;
