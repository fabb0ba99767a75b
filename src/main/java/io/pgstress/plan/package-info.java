/** What is asked for, checked whole and then immutable; uses no other package. */
@NullMarked
package io.pgstress.plan;

import org.jspecify.annotations.NullMarked;
