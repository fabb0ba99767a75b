/** The PostgreSQL JDBC driver: connections, byte counting, literals, COPY; the only package that names it. */
@NullMarked
package io.pgstress.target.driver;

import org.jspecify.annotations.NullMarked;
