/** Suggests operations for a load, modelled on what a dump tells about production; uses bson, plan and text. */
@NullMarked
package io.pgstress.suggest;

import org.jspecify.annotations.NullMarked;
