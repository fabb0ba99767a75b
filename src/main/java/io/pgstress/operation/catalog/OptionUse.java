package io.pgstress.operation.catalog;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which operations an option has an effect on, a line each. */
final class OptionUse {
    private static final String BULK = "bulk_insert bulk_copy bulk_batch";
    private static final String SHARDS = "shard_insert shard_insert_grouped";
    private static final String FIXED = "tpcb oltp_insert " + BULK + " " + SHARDS + " load";

    /** Of options that all operations heed, there is no line. */
    static final Map<String, Set<String>> BY_OPTION = new Uses()
            .of("batch", "find_in")
            .of("limit-min", "find")
            .of("limit-max", "find")
            .of("order-by-id", "find")
            .of("no-reset", "find_insert find_delete " + FIXED)
            .of("key-distribution", "find_first find_in find find_update find_update_one tpcb select_only")
            .of("key-sample", "find_first find_in find find_update find_update_one find_insert find_delete")
            .of("id-slice", "oltp_insert")
            .of("scale", "tpcb select_only")
            .of("shards", FIXED + " select_only count group_by")
            .of("rows", BULK + " " + SHARDS)
            .of("row-bytes", BULK + " " + SHARDS)
            .of("tables", "oltp_insert load " + BULK)
            .of("indexes", "load " + BULK)
            .of("unlogged", FIXED + " select_only count group_by")
            .of("tablespaces", FIXED + " select_only count group_by")
            .of("round-time", BULK)
            .of("table-rows", "count group_by load")
            .of("shards-hit", SHARDS)
            .of("copy-rows", "load")
            .of("index-when", "load")
            .of("input", "load")
            .of("group-by", "group_by")
            .all();

    private OptionUse() {}

    private static final class Uses {
        private final Map<String, Set<String>> uses = new LinkedHashMap<>();

        Uses of(String option, String operations) {
            uses.put(option, Set.copyOf(List.of(operations.split(" "))));
            return this;
        }

        Map<String, Set<String>> all() {
            return Map.copyOf(uses);
        }
    }
}
