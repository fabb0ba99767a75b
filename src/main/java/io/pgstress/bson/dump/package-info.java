/**
 * Reads what mongodump writes: directories, single files, archives and streams, plain or compressed. A {@link
 * io.pgstress.bson.dump.MongoDump} passes its contents to a {@link io.pgstress.bson.dump.DumpVisitor}. The formats are those of
 * mongo-tools ({@code common/archive}, {@code mongodump/prepare.go}). May use {@code io.pgstress.bson}.
 */
@NullMarked
package io.pgstress.bson.dump;

import org.jspecify.annotations.NullMarked;
