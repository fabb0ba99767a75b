package io.pgstress.operation.workload;

/** How many rows go to the server at once. */
enum BulkWay {
    VALUES("bulk_insert"),
    COPY("bulk_copy"),
    BATCH("bulk_batch");

    private final String operation;

    BulkWay(String operation) {
        this.operation = operation;
    }

    String operation() {
        return operation;
    }

    /** The name of a table that it inserts into, from 1. */
    String table(int number) {
        return "pgstress_" + operation + "_" + number;
    }
}
