/** What is asked for, checked whole and then immutable; may use text, for scenarios. */
@NullMarked
package io.pgstress.plan;

import org.jspecify.annotations.NullMarked;
