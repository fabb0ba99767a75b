package io.pgstress.importer.table;

import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.bson.dump.MongoDump;
import io.pgstress.importer.table.Naming.Namespace;
import io.pgstress.importer.table.Naming.Renaming;
import io.pgstress.importer.table.TableImport.Route;
import io.pgstress.plan.TableName;
import io.pgstress.plan.option.InvalidPlanException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Names the tables of a dump's collections: the collection's name, in a schema if there are several databases. A name that is
 * too long for the server becomes its beginning, {@code $} and the first digits of its SHA-256, so it is always the same. A
 * name that the server reserves gets an underscore in front. A {@link Naming} changes the names first.
 */
public final class TableNames {
    /** Maximum bytes kept of a name that is too long; leaves room for the suffixes of temporary tables. */
    private static final int MAX_KEPT = 36;

    private final Naming naming;
    private final boolean severalDatabases;

    /**
     * Names by the user's rules.
     *
     * @throws InvalidPlanException if the rules do not fit the collections
     */
    public TableNames(MongoDump dump, Naming naming) {
        this.naming = naming;
        requireRules(dump.collections());
        severalDatabases = dump.collections().stream()
                        .map(each -> renamed(each).database())
                        .distinct()
                        .count()
                > 1;
    }

    public TableName of(DumpCollection collection) {
        TableName only = naming.table();
        if (only != null) {
            return only.schema().isEmpty() ? new TableName(naming.schema(), only.name()) : only;
        }
        Namespace name = renamed(collection);
        String schema = severalDatabases ? unreserved(name.database()) : "";
        if (!naming.schema().isEmpty()) {
            schema = naming.schema();
        }
        return new TableName(schema, shortened(schema.isEmpty() ? unreserved(name.collection()) : name.collection()));
    }

    private Namespace renamed(DumpCollection collection) {
        return naming.of(collection.database(), collection.collection());
    }

    /** Ensures that the rules for names fit the collections. */
    private void requireRules(List<DumpCollection> collections) {
        List<String> problems = new ArrayList<>();
        if (naming.table() != null && collections.size() > 1) {
            problems.add("--table names one table, but there are " + collections.size()
                    + " collections: select one with --include, or use --rename");
        }
        List<Namespace> names = collections.stream()
                .map(each -> new Namespace(each.database(), each.collection()))
                .toList();
        for (Renaming each : naming.unused(names)) {
            problems.add("--rename " + each + ": no collection that is imported has such a name");
        }
        for (DumpCollection each : collections) {
            if (renamed(each).collection().isEmpty()) {
                problems.add("--rename: collection " + each.namespace() + " would have an empty name");
            }
        }
        if (!problems.isEmpty()) {
            throw new InvalidPlanException(problems);
        }
    }

    /**
     * A name that PostgreSQL does not reserve. It reserves schemas that begin with {@code pg_}, and searches its own schema first
     * for tables, so these names begin with an underscore instead.
     */
    private static String unreserved(String name) {
        return name.startsWith("pg_") || name.equals("information_schema") ? "_" + name : name;
    }

    private static String shortened(String name) {
        String longest = new TableName("", name).copy().name();
        return ServerName.bytes(longest) <= ServerName.MAX_BYTES ? name : ServerName.shortened(name, MAX_KEPT);
    }

    /** Problems with names that the import itself needs. */
    private List<String> taken(
            DumpCollection collection, Map<TableName, String> targets, TableRules rules, ProgressTables progress) {
        List<String> problems = new ArrayList<>();
        TableName target = of(collection);
        Route route = Route.of(target, rules);
        if (route.isStaged() && targets.containsKey(route.load())) {
            problems.add("collection " + targets.get(route.load()) + " has the same name as the staging table of "
                    + collection.namespace() + ": rename one with --rename");
        }
        if (progress.names().contains(target)) {
            problems.add("collection " + collection.namespace()
                    + " has the name of the table that records the progress of" + " imports: rename it with --rename");
        }
        return problems;
    }

    /** The problems with collections that have the same table. */
    public List<String> problems(List<DumpCollection> collections) {
        return clashes(collections, new HashMap<>());
    }

    /** @param targets receives the collections by their tables */
    private List<String> clashes(List<DumpCollection> collections, Map<TableName, String> targets) {
        List<String> problems = new ArrayList<>();
        for (DumpCollection each : collections) {
            String name = each.namespace() + " (" + each.label() + ")";
            String other = targets.put(of(each), name);
            if (other != null) {
                problems.add("collections " + other + " and " + name + " would both become table " + of(each)
                        + ": use --rename, or import them one after the other with --include");
            }
        }
        return problems;
    }

    /** The problems with the names: too long, so that the server would truncate them, or needed by the import itself. */
    public List<String> problems(List<DumpCollection> collections, TableRules rules, ProgressTables progress) {
        List<String> problems = new ArrayList<>();
        Map<TableName, String> targets = new HashMap<>();
        problems.addAll(clashes(collections, targets));
        for (DumpCollection each : collections) {
            problems.addAll(taken(each, targets, rules, progress));
            String longest = Route.of(of(each), rules).longest();
            if (ServerName.bytes(longest) > ServerName.MAX_BYTES) {
                problems.add("collection " + each.namespace() + ": the name of its table, " + longest
                        + ", is longer than " + ServerName.MAX_BYTES + " bytes; the server would truncate it");
            }
        }
        return problems;
    }
}
