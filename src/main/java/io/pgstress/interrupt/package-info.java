/**
 * Handles Ctrl-C and SIGTERM: the first signal ends the current part of a command, the second aborts it. Uses no other package.
 */
@NullMarked
package io.pgstress.interrupt;

import org.jspecify.annotations.NullMarked;
