package io.pgstress.plan;

import java.time.Duration;
import java.util.List;

/**
 * What the workloads with tables of their own leave to the user.
 *
 * @param scale pgbench's: 100,000 accounts each; 0: as the tables are, 1 where there are none
 * @param rows rows a statement of the bulk inserts, at least 1
 * @param tables how many tables are inserted into, at least 1
 * @param rowBytes bytes of a row's values, bulk inserts
 * @param indexes what the tables have of them, bulk inserts
 * @param unlogged whether the tables are
 * @param tablespaces the tables are spread over them; empty: the default one
 * @param round how long until all clients stop and the tables are emptied; zero: never
 * @param shards of each distributed table that is made; 0: as the server has it
 * @param tableRows of each table that is filled, at least 1
 * @param shardsHit how many shards the rows of one operation are in, at least 1
 * @param copyRows rows a COPY of a load, at least 1
 * @param indexWhen when a load's indexes are made
 * @param input a file of rows for a load; an empty string: they are generated
 * @param table the table that was named for whole scans; an empty string: their own
 * @param groupBy what a table's rows are grouped by, in SQL
 */
public record WorkloadOptions(
        int scale,
        int rows,
        int tables,
        int rowBytes,
        Indexes indexes,
        boolean unlogged,
        List<String> tablespaces,
        Duration round,
        int shards,
        int tableRows,
        int shardsHit,
        int copyRows,
        IndexWhen indexWhen,
        String input,
        String table,
        String groupBy) {
    public WorkloadOptions {
        tablespaces = List.copyOf(tablespaces);
    }

    /** Before the rows or after them. */
    public enum IndexWhen {
        BEFORE,
        AFTER
    }

    /** Indexes of a table that is inserted into. */
    public enum Indexes {
        /** No index at all. */
        NONE,
        /** The primary key. */
        PRIMARY,
        /** The primary key and one of another column. */
        ALL
    }
}
