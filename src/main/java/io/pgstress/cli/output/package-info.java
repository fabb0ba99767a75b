/** Where results and progress go: the options about reports, files, streams, live views, metrics; used by the commands only. */
@NullMarked
package io.pgstress.cli.output;

import org.jspecify.annotations.NullMarked;
