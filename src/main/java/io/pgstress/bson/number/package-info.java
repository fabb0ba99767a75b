/** Writes numbers as decimal text: integers, doubles and decimal128; uses only {@code bson}. */
@NullMarked
package io.pgstress.bson.number;

import org.jspecify.annotations.NullMarked;
