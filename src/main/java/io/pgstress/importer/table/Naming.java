package io.pgstress.importer.table;

import io.pgstress.plan.TableName;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How tables are named.
 *
 * @param renamings rules for namespaces; the last one that matches applies
 * @param schema the schema of all tables; an empty string for the schemas of their databases
 * @param table the only table; null to name it like its collection
 */
public record Naming(
        List<Renaming> renamings, String schema, @Nullable TableName table) {
    /** The names as they are in the dump. */
    public static final Naming AS_DUMPED = new Naming(List.of(), "", null);

    public Naming {
        renamings = List.copyOf(renamings);
    }

    /** The namespace after renaming. */
    public Namespace of(String database, String collection) {
        Namespace name = new Namespace(database, collection);
        for (int i = renamings.size() - 1; i >= 0; i--) {
            Optional<Namespace> renamed = renamings.get(i).apply(name);
            if (renamed.isPresent()) {
                return renamed.get();
            }
        }
        return name;
    }

    /** The rules that match none of these namespaces. */
    public List<Renaming> unused(List<Namespace> names) {
        return renamings.stream()
                .filter(each -> names.stream().allMatch(name -> each.apply(name).isEmpty()))
                .toList();
    }

    /**
     * Checks the name of a schema, and returns it.
     *
     * @throws IllegalArgumentException if PostgreSQL reserves it
     */
    public static String schemaName(String name) {
        if (name.isEmpty() || name.startsWith("pg_") || name.equals("information_schema")) {
            throw new IllegalArgumentException(
                    name.isEmpty() ? "must not be empty" : "PostgreSQL reserves this name, was '" + name + "'");
        }
        return name;
    }
}
