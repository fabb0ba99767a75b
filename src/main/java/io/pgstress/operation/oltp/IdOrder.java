package io.pgstress.operation.oltp;

/** The order in which new ids are used. */
enum IdOrder {
    /** Each client counts upwards. */
    ASCENDING,
    /** A permutation of a range of ids. */
    RANDOM
}
