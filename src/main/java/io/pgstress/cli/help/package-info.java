/** The short help of the main command, and the list of operations with their options and SQL. */
@NullMarked
package io.pgstress.cli.help;

import org.jspecify.annotations.NullMarked;
