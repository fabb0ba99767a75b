package io.pgstress.bson.dump;

/**
 * A collection or file of the dump that is not read, and why.
 *
 * @param name the namespace, or the path of a file that does not belong to a collection
 */
public record LeftOut(String name, String reason) {
    static final String VIEW = "a view";
}
