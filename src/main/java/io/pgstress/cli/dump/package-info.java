/** The options of the commands that read a dump. */
@NullMarked
package io.pgstress.cli.dump;

import org.jspecify.annotations.NullMarked;
