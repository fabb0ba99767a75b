/** Imports documents into tables with COPY: progress, rejects, resume; may use plan, bson, dataset, target and text. */
@NullMarked
package io.pgstress.importer;

import org.jspecify.annotations.NullMarked;
