/** The tables of an import: creating, staging, keys, verification; uses everything that {@code importer} may, but not importer itself. */
@NullMarked
package io.pgstress.importer.table;

import org.jspecify.annotations.NullMarked;
