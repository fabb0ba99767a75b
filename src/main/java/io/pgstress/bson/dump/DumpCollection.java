package io.pgstress.bson.dump;

/**
 * A collection of a dump.
 *
 * @param database its database; empty for a stream of bare documents and for the oplog
 * @param collection its name, unescaped and in full
 * @param uuid its UUID in the metadata, 32 hex digits; empty if unknown
 * @param label the file that it is read from, for messages
 * @param bytes the size of its file, or of its documents according to an archive's prelude; -1 if unknown
 */
public record DumpCollection(String database, String collection, String uuid, String label, long bytes) {
    /** {@code database.collection}. */
    public String namespace() {
        return database.isEmpty() ? collection : database + "." + collection;
    }
}
