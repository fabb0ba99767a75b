/** The user's own operations as their file says them; uses plan and text. */
@NullMarked
package io.pgstress.plan.custom;

import org.jspecify.annotations.NullMarked;
