/** Pure statistics of paired blocks: intervals, adjustment, power, drift, curves; the only place that names Commons Math. */
@NullMarked
package io.pgstress.compare.statistics;

import org.jspecify.annotations.NullMarked;
