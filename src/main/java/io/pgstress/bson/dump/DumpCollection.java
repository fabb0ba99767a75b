package io.pgstress.bson.dump;

import java.util.List;

/**
 * A collection of a dump.
 *
 * @param database its database; empty for a stream of bare documents and for the oplog
 * @param collection its name, unescaped and in full
 * @param label the file that it is read from, for messages
 * @param options the names of the options in its metadata, such as {@code capped} and {@code validator}
 * @param metadata the text of its {@code .metadata.json}, which may be invalid; empty if there is none
 * @param bytes the size of its file, or of its documents according to an archive's prelude; -1 if unknown
 */
public record DumpCollection(
        String database, String collection, List<String> options, String metadata, String label, long bytes) {
    public DumpCollection {
        options = List.copyOf(options);
    }

    /** A collection without metadata. */
    public DumpCollection(String database, String collection, String label, long bytes) {
        this(database, collection, List.of(), "", label, bytes);
    }

    /** {@code database.collection}. */
    public String namespace() {
        return database.isEmpty() ? collection : database + "." + collection;
    }
}
