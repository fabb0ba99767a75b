/** Documents into tables by COPY: progress, rejects, resume; may use plan, bson, dataset, target and text. */
@NullMarked
package io.pgstress.importer;

import org.jspecify.annotations.NullMarked;
