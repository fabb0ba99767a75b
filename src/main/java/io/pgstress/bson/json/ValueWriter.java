package io.pgstress.bson.json;

/** Writes the JSON of one BSON type's values. */
@FunctionalInterface
interface ValueWriter {
    /** Writes the value at {@code at}; returns the index after it, or {@link Conversion#FAULT} with the fault set. */
    int write(Conversion conversion, int at);
}
