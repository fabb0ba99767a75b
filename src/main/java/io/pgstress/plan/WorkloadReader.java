package io.pgstress.plan;

import java.util.List;
import java.util.stream.Stream;

/** Reads {@link WorkloadOptions}. */
final class WorkloadReader {
    private WorkloadReader() {}

    static WorkloadOptions read(OptionValues v) {
        List<String> spaces = Stream.of(v.text("tablespaces").split(",", -1))
                .map(String::trim)
                .filter(s -> !s.isEmpty())
                .toList();
        return new WorkloadOptions(
                v.integer("scale", 0, 20_000),
                v.integer("rows", 1, 10_000),
                v.integer("tables", 1, 10_000),
                v.integer("row-bytes", 24, 1_000_000),
                v.choice("indexes", WorkloadOptions.Indexes.class),
                v.flag("unlogged"),
                spaces,
                v.duration("round-time"),
                v.integer("shards", 0, 10_000),
                v.integer("table-rows", 1, Integer.MAX_VALUE),
                v.integer("shards-hit", 1, 10_000),
                v.integer("copy-rows", 1, Integer.MAX_VALUE),
                v.choice("index-when", WorkloadOptions.IndexWhen.class),
                v.text("input"),
                v.text("table"),
                v.text("group-by"));
    }
}
