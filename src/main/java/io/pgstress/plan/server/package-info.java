/**
 * How a command names its server: libpq's connection strings, service files and environment variables, which become JDBC URLs.
 * May use plan.option.
 */
@NullMarked
package io.pgstress.plan.server;

import org.jspecify.annotations.NullMarked;
