package io.pgstress.operation.workload;

import static io.pgstress.plan.option.Group.WORKLOAD;

import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Option;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Options shared by several workloads with their own tables. */
public final class WorkloadOptions {
    /** The indexes of a table that rows are inserted into. */
    public enum Indexes {
        /** No index at all. */
        NONE,
        /** The primary key. */
        PRIMARY,
        /** The primary key and an index on another column. */
        ALL
    }

    /** What PostgreSQL may do with values of variable length (its manual, "TOAST"). */
    public enum Storage {
        PLAIN('p'),
        MAIN('m'),
        EXTERNAL('e'),
        EXTENDED('x');

        private final char code;

        Storage(char code) {
            this.code = code;
        }

        /** The letter in {@code pg_attribute.attstorage}. */
        char code() {
            return code;
        }
    }

    public static final Option<Integer> SCALE = Option.of("scale", "N", Forms.integer(0, 10_000_000))
            .letter("s")
            .byDefault("0")
            .help(WORKLOAD, "pgbench's scale: 100,000 accounts each; 0: the scale of the existing tables, else 1.");

    public static final Option<Integer> SHARDS = Option.of("shards", "N", Forms.integer(0, 10_000))
            .byDefault("0")
            .help(WORKLOAD, "Shards of each new table (Citus); 0: the server's default.");

    public static final Option<Boolean> UNLOGGED = Option.flag("unlogged").help(WORKLOAD, "Creates unlogged tables.");

    public static final Option<List<String>> TABLESPACES = Option.of("tablespaces", "A,B,...", Forms::list)
            .help(WORKLOAD, "Tablespaces over which new tables are spread.");

    public static final Option<Integer> FILLFACTOR = Option.of("fillfactor", "PERCENT", Forms.integer(10, 100))
            .byDefault("100")
            .help(WORKLOAD, "Fill factor of new tables: the share of a page that inserts fill.");

    public static final Option<Optional<Storage>> STORAGE = Option.optional(
                    "storage", "KIND", Forms.choice(Storage.class))
            .help(
                    WORKLOAD,
                    "Storage of texts in new tables: plain (neither compressed nor in a TOAST table), main, external or"
                            + " extended.");

    public static final Option<Integer> ROWS = Option.of("rows", "N", Forms.integer(1, 10_000))
            .byDefault("100")
            .help(WORKLOAD, "Rows per statement of bulk_*; rows per operation of shard_insert*.");

    public static final Option<Integer> ROW_BYTES = Option.of("row-bytes", "N", Forms.integer(24, 1_000_000))
            .byDefault("360")
            .help(WORKLOAD, "Bytes of a row's values; load: those of sysbench's rows (about 190) unless given.");

    public static final Option<Integer> TABLES = Option.of("tables", "N", Forms.integer(1, 10_000))
            .byDefault("1")
            .help(WORKLOAD, "Number of tables; each client of bulk_* writes to one of them.");

    public static final Option<Indexes> INDEXES = Option.of("indexes", "WHICH", Forms.choice(Indexes.class))
            .byDefault("primary")
            .help(WORKLOAD, "none, primary, or all (the primary key and a second index).");

    public static final Option<Integer> TABLE_ROWS = Option.of("table-rows", "N", Forms.integer(1, Integer.MAX_VALUE))
            .byDefault("1000000")
            .help(WORKLOAD, "Rows of each new table.");

    /** The options that determine how tables are created. */
    private static final List<Option<?>> CREATION = List.of(SHARDS, UNLOGGED, TABLESPACES, FILLFACTOR, STORAGE);

    private WorkloadOptions() {}

    /** These options, followed by those that determine how tables are created. */
    public static List<Option<?>> withCreation(Option<?>... options) {
        List<Option<?>> all = new ArrayList<>(List.of(options));
        all.addAll(CREATION);
        return all;
    }
}
