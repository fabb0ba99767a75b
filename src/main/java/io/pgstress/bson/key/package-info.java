/**
 * The {@code _id} of documents as keys of tables: which kinds were seen ({@link io.pgstress.bson.key.KeyKinds}), which column holds
 * them all ({@link io.pgstress.bson.key.KeyForm}). May use {@code io.pgstress.bson}.
 */
@NullMarked
package io.pgstress.bson.key;

import org.jspecify.annotations.NullMarked;
