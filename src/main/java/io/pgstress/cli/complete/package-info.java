/** Completion scripts for shells, written from the same options as the help; may use {@code plan} and {@code operation}. */
@NullMarked
package io.pgstress.cli.complete;

import org.jspecify.annotations.NullMarked;
