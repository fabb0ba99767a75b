/** Man pages, written from the same options as the help. */
@NullMarked
package io.pgstress.cli.man;

import org.jspecify.annotations.NullMarked;
