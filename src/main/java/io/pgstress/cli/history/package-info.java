/** {@code stress report --history}. */
@NullMarked
package io.pgstress.cli.history;

import org.jspecify.annotations.NullMarked;
