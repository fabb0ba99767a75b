package io.pgstress.bson.dump;

/**
 * A collection of a dump.
 *
 * @param database its database; empty for a stream of bare documents and for the oplog
 * @param collection its name, unescaped and in full
 * @param uuid its UUID as the metadata have it, 32 hex digits; empty if they do not
 * @param label the file it is read from, for messages
 * @param bytes the size of its file, or of its documents as an archive's beginning has it; -1 if unknown
 */
public record DumpCollection(String database, String collection, String uuid, String label, long bytes) {
    /** {@code database.collection}. */
    public String namespace() {
        return database.isEmpty() ? collection : database + "." + collection;
    }
}
