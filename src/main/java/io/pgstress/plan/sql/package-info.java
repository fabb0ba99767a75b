/** SQL as text: its first word, its parameters, and named parameters; uses nothing else. */
@NullMarked
package io.pgstress.plan.sql;

import org.jspecify.annotations.NullMarked;
