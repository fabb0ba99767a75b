/** Commands, exit codes and all the wiring; may use every other package and is the only one that ends the process. */
@NullMarked
package io.pgstress.cli;

import org.jspecify.annotations.NullMarked;
