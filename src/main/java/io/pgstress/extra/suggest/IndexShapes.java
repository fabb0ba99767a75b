package io.pgstress.extra.suggest;

import io.pgstress.extra.suggest.Load.Lost;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The queries that an index is probably there for. */
final class IndexShapes {
    private static final String ID = "_id";
    /** Rows of a range that nobody counted. */
    private static final int ROWS = 20;

    private IndexShapes() {}

    static void addId(Load load) {
        load.guess(find(List.of(equal(ID)), List.of(), 0));
    }

    /** Adds the queries of an index as {@code .metadata.json} describes it. */
    static void add(Map<String, Object> index, Load load) {
        Map<String, Object> key = BsonValues.map(index.get("key"));
        if (key.isEmpty() || key.keySet().equals(Map.of(ID, 1).keySet())) {
            return;
        }
        String kind = "";
        for (Map.Entry<String, Object> field : key.entrySet()) {
            boolean isHashed = BsonValues.text(field.getValue()).equals("hashed");
            if (field.getKey().contains("$**")) {
                kind = "a wildcard index";
            } else if (!BsonValues.kind(field.getValue()).equals("number") && !isHashed) {
                kind = "an index of type " + BsonValues.text(field.getValue());
            }
        }
        if (!kind.isEmpty()) {
            load.lose(new Lost(
                    kind + " does not tell which queries it serves", "index on " + String.join(", ", key.keySet())));
            return;
        }
        addPlain(key, load);
    }

    private static void addPlain(Map<String, Object> key, Load load) {
        List<String> paths = List.copyOf(key.keySet());
        String last = paths.get(paths.size() - 1);
        List<Filter> before =
                paths.stream().limit(paths.size() - 1L).map(IndexShapes::equal).toList();
        List<Filter> all = new ArrayList<>(before);
        all.add(equal(last));
        load.guess(find(all, List.of(), 0));
        if (BsonValues.kind(key.get(last)).equals("number")) {
            boolean down = BsonValues.number(key.get(last)) < 0;
            List<Filter> range = new ArrayList<>(before);
            range.add(new Filter.Field(last, new Condition.Range(!down, down)));
            load.guess(find(range, List.of(new SortKey(last, down)), ROWS));
        }
    }

    private static Filter equal(String path) {
        return new Filter.Field(path, Condition.Plain.EQUAL);
    }

    private static Shape find(List<Filter> filters, List<SortKey> sort, int limit) {
        return new Shape.Find(Filter.all(filters), sort, limit, 0, Projection.WHOLE);
    }
}
