package io.pgstress.plan;

import io.pgstress.plan.option.Nearest;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** What pgbench and MongoDB call the operations of this program. */
public final class OperationNames {
    /** pgbench's script without the two updates that wait for each other; no operation is quite like it. */
    public static final String SIMPLE_UPDATE = "simple-update";

    private static final Map<String, String> HERE = Map.of(
            "tpcb-like",
            "tpcb",
            SIMPLE_UPDATE,
            "tpcb",
            "select-only",
            "select_only",
            "find_one",
            "find_first",
            "update_one",
            "find_update",
            "insert_one",
            "find_insert",
            "delete_one",
            "find_delete");

    /** In the order in which the beginning of a name is completed. */
    private static final List<String> BUILTINS = List.of("tpcb-like", SIMPLE_UPDATE, "select-only");

    private OperationNames() {}

    /** The operation for a script of pgbench, which the beginning of its name is enough for; else the same name. */
    public static String ofBuiltin(String beginning) {
        return BUILTINS.stream()
                .filter(name -> !beginning.isEmpty() && name.startsWith(beginning))
                .findFirst()
                .map(OperationNames::here)
                .orElse(beginning);
    }

    /** What is wrong with a name that no operation has. */
    public static String unknown(String name, Collection<String> known) {
        return Nearest.unknown(name, "an operation", Nearest.of(here(name), known), "'stress operations' lists all");
    }

    private static String here(String name) {
        return HERE.getOrDefault(name, name);
    }
}
