/** What Ctrl-C and SIGTERM do to a command: the first signal ends its current part, the second aborts it. Uses no other package. */
@NullMarked
package io.pgstress.interrupt;

import org.jspecify.annotations.NullMarked;
