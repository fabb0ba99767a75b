/** Progress of a run or an import on stderr. */
@NullMarked
package io.pgstress.report.live;

import org.jspecify.annotations.NullMarked;
