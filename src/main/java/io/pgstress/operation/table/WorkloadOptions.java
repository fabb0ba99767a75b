package io.pgstress.operation.table;

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
            .help(
                    WORKLOAD,
                    "pgbench's scale; 0: the tables', or 1",
                    "Each unit is 100,000 accounts. In scripts, it is :scale.");

    public static final Option<Integer> SHARDS = Option.of("shards", "N", Forms.integer(0, 10_000))
            .byDefault("0")
            .help(WORKLOAD, "shards of each new table; 0: the server's", "Citus only.");

    public static final Option<Boolean> UNLOGGED = Option.flag("unlogged").help(WORKLOAD, "create unlogged tables");

    public static final Option<String> WITH = Option.of("with", "PARAMETERS", Forms::parameters)
            .byDefault("")
            .help(
                    WORKLOAD,
                    "storage parameters of new tables",
                    "For example appendonly=true,orientation=column,compresstype=zlib on Greenplum.");

    public static final Option<List<String>> TABLESPACES = Option.of("tablespaces", "A,B,...", Forms::list)
            .help(WORKLOAD, "tablespaces over which new tables are spread");

    public static final Option<Integer> FILLFACTOR = Option.of("fillfactor", "PERCENT", Forms.integer(10, 100))
            .byDefault("100")
            .help(WORKLOAD, "fill factor of new tables, in percent");

    public static final Option<Optional<Storage>> STORAGE = Option.optional(
                    "storage", "KIND", Forms.choice(Storage.class))
            .help(
                    WORKLOAD,
                    "storage of texts in new tables",
                    "plain (neither compressed nor in a TOAST table), main, external or extended.");

    public static final Option<Integer> ROWS = Option.of("rows", "N", Forms.integer(1, 10_000))
            .byDefault("100")
            .help(
                    WORKLOAD,
                    "rows per statement or operation",
                    "Of bulk_*, per statement; of shard_insert*, per operation.");

    public static final Option<Integer> ROW_BYTES = Option.of("row-bytes", "N", Forms.integer(24, 1_000_000))
            .byDefault("360")
            .help(
                    WORKLOAD,
                    "bytes of a row's values",
                    "load uses sysbench's rows (about 190 bytes) unless it is given.");

    public static final Option<Integer> TABLES = Option.of("tables", "N", Forms.integer(1, 10_000))
            .byDefault("1")
            .help(
                    WORKLOAD,
                    "number of tables",
                    "A run creates and fills missing ones, as sysbench prepare does. Each client of bulk_* writes to one.");

    public static final Option<Indexes> INDEXES = Option.of("indexes", "WHICH", Forms.choice(Indexes.class))
            .byDefault("primary")
            .help(WORKLOAD, "none, primary or all", "all: the primary key and a second index.");

    public static final Option<Integer> TABLE_ROWS = Option.of("table-rows", "N", Forms.integer(1, Integer.MAX_VALUE))
            .byDefault("1000000")
            .help(WORKLOAD, "rows of each new table");

    /** The options that determine how tables are created. */
    private static final List<Option<?>> CREATION = List.of(SHARDS, UNLOGGED, TABLESPACES, FILLFACTOR, WITH, STORAGE);

    private WorkloadOptions() {}

    /** These options, followed by those that determine how tables are created. */
    public static List<Option<?>> withCreation(Option<?>... options) {
        List<Option<?>> all = new ArrayList<>(List.of(options));
        all.addAll(CREATION);
        return all;
    }
}
