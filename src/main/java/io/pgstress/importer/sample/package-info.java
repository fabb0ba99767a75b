/** Sample dumps in mongodump's layout, the same for the same seed; may use plan, bson and dataset. */
@NullMarked
package io.pgstress.importer.sample;

import org.jspecify.annotations.NullMarked;
