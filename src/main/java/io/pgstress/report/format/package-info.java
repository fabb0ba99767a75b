/** Numbers, times, tables and short sentences as text, the same in every locale. */
@NullMarked
package io.pgstress.report.format;

import org.jspecify.annotations.NullMarked;
