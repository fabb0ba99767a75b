/**
 * The {@code _id} of documents as keys of tables: the kinds seen ({@link io.pgstress.bson.key.KeyKinds}), and the column that
 * can hold them all ({@link io.pgstress.bson.key.KeyForm}). May use {@code io.pgstress.bson}.
 */
@NullMarked
package io.pgstress.bson.key;

import org.jspecify.annotations.NullMarked;
