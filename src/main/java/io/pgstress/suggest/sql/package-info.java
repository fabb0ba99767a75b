/** SQL on {@code (_id, data jsonb)} for the shapes of MongoDB's operations. */
@NullMarked
package io.pgstress.suggest.sql;

import org.jspecify.annotations.NullMarked;
