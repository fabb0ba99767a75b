package io.pgstress.extra.indexes;

import io.pgstress.bson.Chunk;
import io.pgstress.importer.IndexResult;
import io.pgstress.importer.IndexStep;
import io.pgstress.plan.TableName;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.ServerErrors;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
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
                    tasks.stream().map(IndexTask::result).toList(),
                    notes);
        }
    }

    private static final String ABILITIES = "select current_setting('server_version_num')::int,"
            + " exists (select 1 from pg_collation where collprovider = 'i')";

    private final Connector connector;
    private final Connection connection;
    private final Dialect dialect;
    private final boolean creates;
    private final boolean canonical;
    private final IndexNames names;
    private final Map<TableName, CollectionIndexes> collections = new ConcurrentHashMap<>();
    private final Map<String, String> refusedCollations = new HashMap<>();
    private @Nullable IndexRules rules;
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
        this.canonical = canonical;
        this.names = new IndexNames(connection);
    }

    @Override
    public Consumer<Chunk> begin(TableName table, String metadata, Consumer<String> notes) {
        CollectionIndexes found = CollectionIndexes.of(metadata);
        if (!found.fault().isEmpty()) {
            notes.accept("its indexes are unknown: " + found.fault());
        }
        collections.put(table, found);
        return found::see;
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
            List<IndexTask> open = new ArrayList<>();
            plans.values()
                    .forEach(all -> all.forEach(each ->
                            each.tasks().stream().filter(IndexTask::isOpen).forEach(open::add)));
            create(open, connections, progress);
        }
        Map<TableName, List<IndexResult>> results = new LinkedHashMap<>();
        plans.forEach((table, each) ->
                results.put(table, each.stream().map(Planned::result).toList()));
        return results;
    }

    private List<Planned> plan(TableName table, CollectionIndexes collection, boolean hasOtherRows)
            throws SQLException {
        if (hasOtherRows && creates) {
            EarlierRows.add(connection, table, collection);
        }
        IndexPlanner planner = new IndexPlanner(collection, rules(), table);
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
                    String name = names.of(table, index.name(), definition.suffix(), catalog);
                    IndexTask task = new IndexTask(table, index.name(), name, definition, dialect.tables());
                    known.put(definition.describe(), task);
                    made.add(task);
                    prepare(task, plan, catalog);
                } else {
                    notes.add(same.name() + " serves it too: " + definition.describe());
                }
            }
            plans.add(new Planned(plan, made, notes));
        }
        return plans;
    }

    /** Creates the collations that an index needs, and looks whether the index exists. */
    private void prepare(IndexTask task, IndexPlan plan, IndexCatalog catalog) throws SQLException {
        if (!creates) {
            return;
        }
        for (String sql : plan.collations()) {
            String refused = refusedCollations.computeIfAbsent(sql, this::execute);
            if (!refused.isEmpty()) {
                task.failed(refused);
                return;
            }
        }
        try {
            task.compare(connection, catalog);
        } catch (SQLException e) {
            if (!ServerErrors.sessionIsAlive(e)) {
                throw e;
            }
            task.failed(ServerErrors.sampleOf(e) + " (SQLSTATE " + ServerErrors.stateOf(e) + ")");
        }
    }

    /** Returns why the statement failed; empty if it did not. */
    private String execute(String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
            return "";
        } catch (SQLException e) {
            return ServerErrors.sampleOf(e) + " (SQLSTATE " + ServerErrors.stateOf(e) + "): " + sql;
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

    private IndexRules rules() throws SQLException {
        IndexRules known = rules;
        if (known == null) {
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(ABILITIES)) {
                row.next();
                known = new IndexRules(
                        row.getInt(1),
                        row.getBoolean(2),
                        canonical,
                        dialect.tables().distributesByKey());
                rules = known;
            }
        }
        return known;
    }

    @Override
    public void cancel() {
        canceled = true;
        IndexWorkers started = workers;
        if (started != null) {
            started.cancel();
        }
    }
}
