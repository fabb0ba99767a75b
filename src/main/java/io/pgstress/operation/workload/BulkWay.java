package io.pgstress.operation.workload;

/** How a bulk operation sends its rows. */
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

    /** The name of a table it inserts into, numbered from 1. */
    String table(int number) {
        return "pgstress_" + operation + "_" + number;
    }
}
