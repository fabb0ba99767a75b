/** Files of results: the report formats for programs (JSON, CSV, histogram log), reading results back, and the directory of saved results. */
@NullMarked
package io.pgstress.report.file;

import org.jspecify.annotations.NullMarked;
