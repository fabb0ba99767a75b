/** The registry of report formats; one writer per class, in the packages below. */
@NullMarked
package io.pgstress.report;

import org.jspecify.annotations.NullMarked;
