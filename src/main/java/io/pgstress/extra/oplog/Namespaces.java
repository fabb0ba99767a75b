package io.pgstress.extra.oplog;

import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.dataset.TableColumns;
import io.pgstress.importer.table.Naming.Namespace;
import io.pgstress.importer.table.TableNames;
import io.pgstress.plan.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Which collections an oplog's operations are applied to, and the tables of these. Not thread-safe. */
final class Namespaces {
    private static final Set<String> INTERNAL = Set.of("admin", "config", "local");
    private static final String BUCKETS = "system.buckets.";

    private final TableNames names;
    private final DumpFilter filter;
    private final Set<Namespace> inDump;
    private final Set<String> databases;
    private final Set<String> leftOut;

    /** Namespaces of the dump and of the operations so far, for dropping a database. */
    private final Set<Namespace> seen;

    /**
     * @param collections those of the dump that are imported
     * @param leftOut the namespaces of the others
     */
    Namespaces(TableNames names, DumpFilter filter, List<DumpCollection> collections, Set<String> leftOut) {
        this.names = names;
        this.filter = filter;
        this.inDump = collections.stream()
                .map(each -> new Namespace(each.database(), each.collection()))
                .collect(Collectors.toSet());
        this.databases = inDump.stream().map(Namespace::database).collect(Collectors.toSet());
        this.leftOut = leftOut;
        this.seen = new LinkedHashSet<>(inDump);
    }

    /** Why nothing in a database that the dump does not have is changed; empty if it may be. */
    private String reasonAgainst(String database) {
        if (names.isOneTable()) {
            return "not the collection that --table is for";
        }
        if (INTERNAL.contains(database)) {
            return "an internal database of MongoDB";
        }
        return databases.size() == 1 && !databases.contains(database) ? "another database than the dump's" : "";
    }

    /** Why operations on the collection are not applied; empty if they are. */
    String reasonAgainst(Namespace namespace) {
        if (namespace.database().isEmpty()
                || namespace.collection().isEmpty()
                || namespace.toString().indexOf('\0') >= 0) {
            return "a namespace that MongoDB does not allow";
        }
        if (inDump.contains(namespace)) {
            return "";
        }
        String ofDatabase = reasonAgainst(namespace.database());
        if (!ofDatabase.isEmpty()) {
            return ofDatabase;
        }
        if (namespace.collection().startsWith(BUCKETS)) {
            return "the buckets of a time series";
        }
        String reason = filter.reasonAgainst(namespace.database(), namespace.collection());
        return reason.isEmpty() && leftOut.contains(namespace.toString())
                ? "a collection that the import does not select"
                : reason;
    }

    /** The table of a collection, which counts as seen. */
    TableName table(Namespace namespace) {
        seen.add(namespace);
        return name(namespace);
    }

    private TableName name(Namespace namespace) {
        return names.of(new DumpCollection(namespace.database(), namespace.collection(), "", -1));
    }

    /**
     * The problems with tables that exist, but belong neither to the dump nor to an earlier replay.
     *
     * @param changed the namespaces that the oplog changes
     */
    List<String> foreign(Set<String> changed, Connection connection) throws SQLException {
        List<String> problems = new ArrayList<>();
        for (String each : changed) {
            Namespace namespace = Namespace.of(each);
            if (inDump.contains(namespace) || !reasonAgainst(namespace).isEmpty()) {
                continue;
            }
            TableName table = name(namespace);
            if (TableColumns.exists(connection, table) && !ReplayTables.MARK.isOn(connection, table)) {
                problems.add("table " + table + " exists, but not from this dump, and the oplog changes collection "
                        + namespace + ": rename the table, leave the collection out with --exclude, or allow the"
                        + " change with --if-exists append");
            }
        }
        return problems;
    }

    /** Why all of a database is left as it is; empty if it has collections that may be changed. */
    String reasonAgainstAll(String database) {
        return databases.contains(database) ? "" : reasonAgainst(database);
    }

    /** The tables of all collections of a database so far. */
    List<TableName> tables(String database) {
        return seen.stream()
                .filter(each ->
                        each.database().equals(database) && reasonAgainst(each).isEmpty())
                .map(this::name)
                .toList();
    }
}
