package io.pgstress.operation.workload;

import io.pgstress.operation.OperationType;
import io.pgstress.plan.option.Options;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;

/** The tables of a bulk insert. Immutable. */
final class BulkTables {
    private final BulkWay way;
    private final OperationType.Context context;
    private final Options options;

    BulkTables(BulkWay way, OperationType.Context context) {
        this.way = way;
        this.context = context;
        this.options = context.options();
    }

    private List<String> names() {
        return IntStream.rangeClosed(1, options.get(WorkloadOptions.TABLES))
                .mapToObj(way::table)
                .toList();
    }

    /** The table that a client writes to. */
    String ofClient(int client) {
        return way.table(client % options.get(WorkloadOptions.TABLES) + 1);
    }

    /** @param isByServer whether a default is the text of a row */
    void create(Connection control, boolean isByServer) throws SQLException {
        OwnTables own = new OwnTables(control, context);
        WorkloadOptions.Indexes indexes = options.get(WorkloadOptions.INDEXES);
        String columns = "id bigint not null" + (indexes == WorkloadOptions.Indexes.NONE ? "" : " primary key")
                + ", filler text not null" + (isByServer ? " default " + filler() : "")
                + ", at timestamp not null default current_timestamp";
        for (int t = 1; t <= options.get(WorkloadOptions.TABLES); t++) {
            String table = way.table(t);
            own.drop(table);
            boolean isNew = own.create(table, columns, "id", t);
            if (isNew && indexes == WorkloadOptions.Indexes.ALL) {
                own.execute("create index " + table + "_at_idx on " + table + " (at)");
            }
        }
    }

    private String filler() {
        return "repeat('x', " + (options.get(WorkloadOptions.ROW_BYTES) - BulkRows.FIXED_BYTES) + ")";
    }

    void empty(Connection control) throws SQLException {
        new OwnTables(control, context).execute("truncate " + String.join(", ", names()));
    }

    long count(Connection control) throws SQLException {
        OwnTables own = new OwnTables(control, context);
        long rows = 0;
        for (String table : names()) {
            rows += own.number("select count(*) from " + table);
        }
        return rows;
    }
}
