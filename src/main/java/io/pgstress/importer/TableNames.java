package io.pgstress.importer;

import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.bson.dump.MongoDump;
import io.pgstress.plan.TableName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The tables of a dump's collections: of the same names, in schemas where there are several databases. */
final class TableNames {
    /** What PostgreSQL keeps of a name, in bytes. */
    private static final int LONGEST = 63;

    private final boolean severalDatabases;

    TableNames(MongoDump dump) {
        severalDatabases = dump.collections().stream()
                        .map(DumpCollection::database)
                        .distinct()
                        .count()
                > 1;
    }

    TableName of(DumpCollection collection) {
        return new TableName(severalDatabases ? collection.database() : "", collection.collection());
    }

    /** What is wrong with the names: the server would cut them off without a word. */
    List<String> problems(List<DumpCollection> collections, ImportOptions options) {
        List<String> problems = new ArrayList<>();
        for (DumpCollection each : collections) {
            String longest = Route.of(of(each), options).longest();
            if (longest.getBytes(StandardCharsets.UTF_8).length > LONGEST) {
                problems.add("collection " + each.namespace() + ": the name of its table " + longest + " has over "
                        + LONGEST + " bytes, which the server would cut off");
            }
        }
        return problems;
    }
}
