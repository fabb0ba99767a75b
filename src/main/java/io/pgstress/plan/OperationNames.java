package io.pgstress.plan;

import io.pgstress.plan.option.Nearest;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What pgbench and MongoDB call the operations of this program. */
public final class OperationNames {
    /** pgbench's scripts, and what they are called here. */
    private static final Map<String, String> BUILTINS =
            Map.of("tpcb-like", "tpcb", "simple-update", "simple_update", "select-only", "select_only");

    private static final Map<String, String> OF_MONGODB = Map.of(
            "find_one",
            "find_first",
            "update_one",
            "find_update",
            "insert_one",
            "find_insert",
            "delete_one",
            "find_delete");

    private OperationNames() {}

    /**
     * The operation that is a script of pgbench's own.
     *
     * @param beginning the beginning of the script's name, which no other script has
     * @throws IllegalArgumentException if no script or more than one begins like this
     */
    public static String ofBuiltin(String beginning) {
        List<String> found = BUILTINS.keySet().stream()
                .filter(name -> name.startsWith(beginning))
                .sorted()
                .toList();
        if (found.size() != 1) {
            throw new IllegalArgumentException(
                    found.isEmpty()
                            ? "'" + beginning + "' is not a script of pgbench; they are tpcb-like, simple-update and"
                                    + " select-only"
                            : "'" + beginning + "' is ambiguous: " + String.join(", ", found));
        }
        return here(found.get(0));
    }

    /** What is wrong with a name that no operation has. */
    public static String unknown(String name, Collection<String> known) {
        return Nearest.unknown(name, "an operation", Nearest.of(here(name), known), "'stress operations' lists all");
    }

    /** The operation that has this name here, in pgbench or in MongoDB. */
    public static Optional<String> exact(String name, Collection<String> known) {
        return Optional.of(here(name)).filter(known::contains);
    }

    /** The same, or that with the most similar name. */
    public static Optional<String> meant(String name, Collection<String> known) {
        return exact(name, known).or(() -> Nearest.of(name, known));
    }

    private static String here(String name) {
        return BUILTINS.getOrDefault(name, OF_MONGODB.getOrDefault(name, name));
    }
}
