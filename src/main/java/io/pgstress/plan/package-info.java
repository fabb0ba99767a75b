/** What the user requested, checked as a whole and then immutable; may use text, for scenarios. */
@NullMarked
package io.pgstress.plan;

import org.jspecify.annotations.NullMarked;
