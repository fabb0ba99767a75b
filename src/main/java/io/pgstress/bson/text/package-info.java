/** UTF-8 text: checked, escaped, or as hexadecimal and base64; uses only {@code bson}. */
@NullMarked
package io.pgstress.bson.text;

import org.jspecify.annotations.NullMarked;
