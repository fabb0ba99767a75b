package io.pgstress.bson.json;

/** The two forms of MongoDB Extended JSON v2. */
public enum ExtendedJson {
    /** Numbers as JSON numbers, dates of the years 1970 to 9999 as ISO-8601. */
    RELAXED,
    /** Every number and date in a wrapper that names its type. */
    CANONICAL
}
