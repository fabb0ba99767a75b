package io.pgstress.importer.table;

/**
 * The name of a collection with its database.
 *
 * @param database the database; may be empty
 * @param collection the collection, which may contain dots
 */
public record Namespace(String database, String collection) {
    /** Splits a text at its first dot. */
    static Namespace of(String text) {
        int dot = text.indexOf('.');
        return new Namespace(text.substring(0, dot), text.substring(dot + 1));
    }

    @Override
    public String toString() {
        return database + "." + collection;
    }
}
