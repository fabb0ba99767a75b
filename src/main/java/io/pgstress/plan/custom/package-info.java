/** User-defined operations as read from their files; uses plan and text. */
@NullMarked
package io.pgstress.plan.custom;

import org.jspecify.annotations.NullMarked;
