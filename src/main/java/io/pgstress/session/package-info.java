/**
 * The single way to open what a command works on: servers, the embedded server and its sample data, settings, tables. It
 * opens no connection of the load; may use plan, dataset, importer, operation, target and interrupt.
 */
@NullMarked
package io.pgstress.session;

import org.jspecify.annotations.NullMarked;
