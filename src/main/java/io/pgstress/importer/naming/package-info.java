/**
 * How the user names the tables of an import: a schema, a table, and patterns that rename namespaces. May use {@code
 * io.pgstress.plan}.
 */
@NullMarked
package io.pgstress.importer.naming;

import org.jspecify.annotations.NullMarked;
