/** The HTML page: one file that contains the results, the chart library and the scripts that draw the charts. */
@NullMarked
package io.pgstress.report.page;

import org.jspecify.annotations.NullMarked;
