/** The output of commands: options of reports, files, streams, live views and metrics. */
@NullMarked
package io.pgstress.cli.output;

import org.jspecify.annotations.NullMarked;
