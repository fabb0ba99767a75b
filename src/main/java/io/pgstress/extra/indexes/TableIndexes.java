package io.pgstress.extra.indexes;

import io.pgstress.bson.Chunk;
import io.pgstress.extra.FieldSql;
import io.pgstress.extra.FieldSql.Kinds;
import io.pgstress.extra.indexes.IndexPlan.Definition;
import io.pgstress.extra.indexes.IndexPlanner.IndexRules;
import io.pgstress.importer.IndexResult;
import io.pgstress.importer.IndexStep;
import io.pgstress.importer.table.ServerName.FreeNames;
import io.pgstress.plan.TableName;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.ServerErrors;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Plans the indexes of imported tables, and creates those that are missing. An index that cannot be created does not affect the
 * others.
 */
final class TableIndexes implements IndexStep {
    /** A plan, with the indexes that it consists of. */
    private record Planned(IndexPlan plan, List<IndexTask> tasks, List<String> notes) {
        IndexResult result() {
            return new IndexResult(
                    plan.index().name(),
                    plan.index().describe(),
                    plan.index().parts().stream().map(MongoIndex.Part::path).toList(),
                    plan.definitions().isEmpty()
                            && !plan.index().isOnKey()
                            && !plan.index().hidden(),
                    tasks.stream().map(IndexTask::result).toList(),
                    notes);
        }
    }

    /** What follows a table's name in the names of the tables that pgstress creates beside it. */
    private static final Set<String> COMPANIONS = Set.of("copy", "import");

    private static final int[] KINDS = {
        Kinds.ARRAY,
        Kinds.STRING,
        Kinds.NUMBER,
        Kinds.DATE,
        Kinds.OTHER_DATE,
        Kinds.DOCUMENT,
        Kinds.OTHER,
        Kinds.OTHER | Kinds.DECIMAL
    };

    /** So many paths in one query; it may have 1,664 columns. */
    private static final int MAX_PATHS = 200;

    private final Connector connector;
    private final Connection connection;
    private final Dialect dialect;
    private final boolean creates;
    private final FreeNames names;
    private final Map<TableName, CollectionIndexes> collections = new ConcurrentHashMap<>();
    private final IndexRules rules;
    private volatile @Nullable IndexWorkers workers;
    private volatile boolean canceled;

    /**
     * @param creates whether indexes are created; otherwise they are only planned
     * @param canonical whether documents are canonical Extended JSON
     */
    TableIndexes(Connector connector, Connection connection, Dialect dialect, boolean creates, boolean canonical) {
        this.connector = connector;
        this.connection = connection;
        this.dialect = dialect;
        this.creates = creates;
        this.rules = new IndexRules(canonical, dialect.tables().distributesByKey());
        this.names = new FreeNames(connection);
    }

    @Override
    public Consumer<Chunk> begin(TableName table, String metadata, Consumer<String> notes) {
        CollectionIndexes found = CollectionIndexes.of(metadata);
        if (!found.unknown().isEmpty()) {
            notes.accept("indexes: unknown, because " + found.unknown());
        }
        collections.put(table, found);
        return found.shapes()::see;
    }

    @Override
    public Map<TableName, List<IndexResult>> finish(
            Map<TableName, Boolean> tables, int connections, Consumer<String> progress)
            throws SQLException, InterruptedException {
        Map<TableName, List<Planned>> plans = new LinkedHashMap<>();
        for (Map.Entry<TableName, Boolean> table : tables.entrySet()) {
            CollectionIndexes collection = collections.getOrDefault(table.getKey(), CollectionIndexes.NONE);
            if (!collection.indexes().isEmpty()) {
                plans.put(table.getKey(), plan(table.getKey(), collection, table.getValue()));
            }
        }
        if (creates) {
            create(
                    plans.values().stream()
                            .flatMap(List::stream)
                            .flatMap(each -> each.tasks().stream())
                            .filter(IndexTask::isOpen)
                            .toList(),
                    connections,
                    progress);
        }
        Map<TableName, List<IndexResult>> results = new LinkedHashMap<>();
        for (TableName table : tables.keySet()) {
            String fault =
                    collections.getOrDefault(table, CollectionIndexes.NONE).fault();
            if (creates && !fault.isEmpty()) {
                results.put(table, List.of(IndexResult.unknown(fault)));
            }
        }
        plans.forEach((table, each) ->
                results.put(table, each.stream().map(Planned::result).toList()));
        return results;
    }

    private List<Planned> plan(TableName table, CollectionIndexes collection, boolean hasOtherRows)
            throws SQLException {
        if (hasOtherRows && creates) {
            addEarlierRows(connection, table, collection);
        }
        IndexPlanner planner = new IndexPlanner(collection, rules);
        List<Planned> plans = new ArrayList<>();
        IndexCatalog catalog = new IndexCatalog(connection, table);
        Map<String, IndexTask> known = new HashMap<>();
        for (MongoIndex index : collection.indexes()) {
            IndexPlan plan = planner.plan(index);
            List<IndexTask> made = new ArrayList<>();
            List<String> notes = new ArrayList<>(plan.notes());
            for (Definition definition : plan.definitions()) {
                IndexTask same = known.get(definition.describe());
                if (same == null) {
                    String name = name(table, index.name(), definition.suffix(), catalog);
                    IndexTask task = new IndexTask(table, index.name(), name, definition, dialect.tables());
                    known.put(definition.describe(), task);
                    made.add(task);
                    prepare(task, catalog);
                } else {
                    notes.add(same.name() + " serves it too: " + definition.describe());
                }
            }
            plans.add(new Planned(plan, made, notes));
        }
        return plans;
    }

    /** Looks whether the index exists. */
    private void prepare(IndexTask task, IndexCatalog catalog) throws SQLException {
        if (!creates) {
            return;
        }
        try {
            task.compare(connection, catalog);
        } catch (SQLException e) {
            if (!ServerErrors.sessionIsAlive(e)) {
                throw e;
            }
            task.failed(ServerErrors.sampleWithState(e));
        }
    }

    private void create(List<IndexTask> open, int connections, Consumer<String> progress)
            throws SQLException, InterruptedException {
        if (open.isEmpty()) {
            return;
        }
        IndexWorkers made = new IndexWorkers(connector, open);
        workers = made;
        if (canceled) {
            made.cancel();
        }
        made.run(connections, connection, progress);
        if (!canceled) { // after an unexpected error in a worker
            open.stream().filter(IndexTask::isOpen).forEach(task -> task.failed("its creation ended unexpectedly"));
        }
    }

    @Override
    public void cancel() {
        canceled = true;
        IndexWorkers started = workers;
        if (started != null) {
            started.cancel();
        }
    }

    /** The name of an index: the table's and MongoDB's, unless another table or index has this name. */
    private String name(TableName table, String index, String suffix, IndexCatalog catalog) throws SQLException {
        String own = index.replace("\0", "") + suffix;
        String separator = COMPANIONS.contains(own) ? "_index_" : "_";
        return names.of(new TableName(table.schema(), table.name() + separator + own), catalog::has);
    }

    /** Adds the kinds of values in rows that a table had before the import. Reads the whole table. */
    static void addEarlierRows(Connection connection, TableName table, CollectionIndexes collection)
            throws SQLException {
        List<List<String>> paths = new ArrayList<>(collection.pathsWithParents());
        for (int from = 0; from < paths.size(); from += MAX_PATHS) {
            List<List<String>> some = paths.subList(from, Math.min(from + MAX_PATHS, paths.size()));
            String columns = some.stream().map(TableIndexes::kindsOf).collect(Collectors.joining(", "));
            ControlSql.rows(connection, "select " + columns + " from " + table.quoted(), row -> {
                int at = 1;
                for (List<String> path : some) {
                    int kinds = 0;
                    for (int kind : KINDS) {
                        kinds |= row.getBoolean(at++) ? kind : 0;
                    }
                    collection.shapes().add(path, kinds);
                }
                return some;
            });
        }
    }

    /** A column for each of {@link #KINDS}. */
    private static String kindsOf(List<String> path) {
        String json = new FieldSql(path, path.stream().map(name -> 0).toList()).json();
        String type = "jsonb_typeof(" + json + ")";
        String date = "jsonb_typeof(" + json + " -> '$date')";
        return Stream.of(
                        type + " = 'array'",
                        type + " = 'string'",
                        type + " = 'number'",
                        date + " = 'string'",
                        date + " = 'object'",
                        type + " = 'object' and " + date + " is null",
                        type + " = 'boolean'",
                        "jsonb_typeof(" + json + " -> '$numberDecimal') = 'string'")
                .map(kind -> "coalesce(bool_or(" + kind + "), false)")
                .collect(Collectors.joining(", "));
    }
}
