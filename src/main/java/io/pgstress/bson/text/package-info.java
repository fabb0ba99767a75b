/** Validates and escapes UTF-8 text, and writes hexadecimal and base64; uses only {@code bson}. */
@NullMarked
package io.pgstress.bson.text;

import org.jspecify.annotations.NullMarked;
