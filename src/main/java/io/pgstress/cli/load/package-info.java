/** The runs of a command: blocks of a comparison and steps of a search, and how a signal ends them. */
@NullMarked
package io.pgstress.cli.load;

import org.jspecify.annotations.NullMarked;
