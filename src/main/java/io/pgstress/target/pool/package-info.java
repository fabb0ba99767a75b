/** Connection pools; the only package that names HikariCP and c3p0; may use plan and target. */
@NullMarked
package io.pgstress.target.pool;

import org.jspecify.annotations.NullMarked;
