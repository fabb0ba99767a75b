package io.pgstress.extra.indexes;

import io.pgstress.extra.indexes.IndexPlan.Definition;
import io.pgstress.extra.indexes.IndexPlanner.IndexRules;
import io.pgstress.plan.TableName;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.text.Json;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What an import would create for an index of MongoDB on the fields of a query. */
public final class QueryIndex {
    private final List<Definition> definitions;

    private QueryIndex(List<Definition> definitions) {
        this.definitions = definitions;
    }

    /**
     * Plans it for the documents of a table, which is read.
     *
     * @param key its fields in order, and whether each is in descending order; at least one
     */
    public static QueryIndex of(Connection connection, Dialect dialect, TableName table, Map<String, Boolean> key)
            throws SQLException {
        Map<String, Integer> directions = new LinkedHashMap<>();
        key.forEach((path, isDescending) -> directions.put(path, isDescending ? -1 : 1));
        CollectionIndexes collection = CollectionIndexes.of(
                Json.writeLine(Map.of("indexes", List.of(Map.of("name", "query", "key", directions)))));
        TableIndexes.addEarlierRows(connection, table, collection);
        IndexRules rules = new IndexRules(false, dialect.tables().distributesByKey());
        return new QueryIndex(collection.indexes().stream()
                .flatMap(index -> new IndexPlanner(collection, rules).plan(index).definitions().stream())
                .toList());
    }

    /** The expressions that it is on, in parentheses. */
    public List<String> expressions() {
        return definitions.stream()
                .flatMap(definition -> definition.columns().stream())
                .map(IndexPlan.Column::value)
                .filter(value -> value.startsWith("("))
                .toList();
    }

    /** The statements that create it on this table; the server chooses the names. Empty if nothing would serve the query. */
    public List<String> on(TableName table) {
        return definitions.stream().map(definition -> definition.sql("", table)).toList();
    }
}
