package io.pgstress.bson.dump;

/**
 * A collection or file of the dump that is not read, and why.
 *
 * @param name the namespace, or the path of what is no collection's file
 */
public record LeftOut(String name, String reason) {}
