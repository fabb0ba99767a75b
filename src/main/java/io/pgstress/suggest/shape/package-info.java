/** Queries, updates and deletes of MongoDB without their values. */
@NullMarked
package io.pgstress.suggest.shape;

import org.jspecify.annotations.NullMarked;
