/** The indexes that a dump's metadata describe, and what serves the same queries here; uses plan, bson and text. */
@NullMarked
package io.pgstress.importer.index;

import org.jspecify.annotations.NullMarked;
