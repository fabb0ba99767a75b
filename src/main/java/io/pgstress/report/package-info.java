/** Writers of results, one class a format; may use plan, measure, result and text. */
@NullMarked
package io.pgstress.report;

import org.jspecify.annotations.NullMarked;
