package io.pgstress.importer.table;

import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.bson.dump.MongoDump;
import io.pgstress.importer.progress.ProgressTables;
import io.pgstress.plan.TableName;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * Names the tables of a dump's collections: the collection's name, in a schema if there are several databases. A name that is
 * too long for the server becomes its beginning, {@code $} and the first digits of its SHA-256, so it is always the same. A
 * name that the server reserves gets an underscore in front.
 */
public final class TableNames {
    /** PostgreSQL's maximum length of a name, in bytes. */
    private static final int MAX_NAME = 63;

    /** Maximum bytes kept of a name that is too long; leaves room for the suffixes of temporary tables. */
    private static final int MAX_KEPT = 36;

    private static final int DIGITS = 12;

    private final boolean severalDatabases;

    public TableNames(MongoDump dump) {
        severalDatabases = dump.collections().stream()
                        .map(DumpCollection::database)
                        .distinct()
                        .count()
                > 1;
    }

    public TableName of(DumpCollection collection) {
        return severalDatabases
                ? new TableName(unreserved(collection.database()), shortened(collection.collection()))
                : new TableName("", shortened(unreserved(collection.collection())));
    }

    /**
     * A name that PostgreSQL does not reserve. It reserves schemas that begin with {@code pg_}, and searches its own schema first
     * for tables, so these names begin with an underscore instead.
     */
    private static String unreserved(String name) {
        return name.startsWith("pg_") || name.equals("information_schema") ? "_" + name : name;
    }

    private static String shortened(String name) {
        if (bytes(new TableName("", name).copy().name()) <= MAX_NAME) {
            return name;
        }
        int end = Math.min(MAX_KEPT, name.length());
        while (bytes(name.substring(0, end)) > MAX_KEPT || Character.isHighSurrogate(name.charAt(end - 1))) {
            end--;
        }
        return name.substring(0, end) + "$" + digest(name);
    }

    private static String digest(String name) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash).substring(0, DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static int bytes(String name) {
        return name.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Problems with names that the import itself needs. */
    private List<String> taken(
            DumpCollection collection, Map<TableName, String> targets, TableRules rules, ProgressTables progress) {
        List<String> problems = new ArrayList<>();
        TableName target = of(collection);
        for (TableName temporary : Route.of(target, rules).temporaryTables()) {
            if (targets.containsKey(temporary)) {
                problems.add("collection " + targets.get(temporary) + " has the same name as the staging table of "
                        + collection.namespace() + ": import them one after the other with --collection");
            }
        }
        if (progress.names().contains(target)) {
            problems.add(
                    "collection " + collection.namespace() + " has the name of the table that records the progress of"
                            + " imports: exclude it with --collection");
        }
        return problems;
    }

    /** The problems with the names: too long, so that the server would truncate them, or needed by the import itself. */
    public List<String> problems(List<DumpCollection> collections, TableRules rules, ProgressTables progress) {
        List<String> problems = new ArrayList<>();
        Map<TableName, String> targets = new HashMap<>();
        for (DumpCollection each : collections) {
            String other = targets.put(of(each), each.namespace());
            if (other != null) {
                problems.add("collections " + other + " and " + each.namespace() + " would both become table "
                        + of(each) + ": import them one after the other with --collection");
            }
        }
        for (DumpCollection each : collections) {
            problems.addAll(taken(each, targets, rules, progress));
            String longest = Route.of(of(each), rules).longest();
            if (bytes(longest) > MAX_NAME) {
                problems.add("collection " + each.namespace() + ": the name of its table, " + longest
                        + ", is longer than " + MAX_NAME + " bytes; the server would truncate it");
            }
        }
        return problems;
    }
}
