/** Runs of a command, one after another: blocks of a comparison, steps of a climb, and how a signal ends them. */
@NullMarked
package io.pgstress.cli.load;

import org.jspecify.annotations.NullMarked;
