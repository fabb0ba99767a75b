/**
 * The tables of an import: creation, staging, keys, verification; may use what {@code importer} may, but not {@code importer}
 * itself.
 */
@NullMarked
package io.pgstress.importer.table;

import org.jspecify.annotations.NullMarked;
