package io.pgstress.extra.suggest;

import io.pgstress.extra.BsonValues;
import io.pgstress.extra.Untranslatable;
import io.pgstress.extra.indexes.MongoIndex;
import io.pgstress.extra.indexes.MongoIndex.Part;
import io.pgstress.extra.suggest.Filter.Condition;
import io.pgstress.extra.suggest.Shape.Projection;
import io.pgstress.extra.suggest.Shape.SortKey;
import io.pgstress.importer.table.Naming.Namespace;
import io.pgstress.text.TextException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The operations on one collection, by shape. Not thread-safe. */
final class ObservedLoad {
    /** An operation that was not translated, without its values. */
    record Lost(String reason, String command) {}

    private static final String ID = "_id";
    /** Rows of a range that nobody counted. */
    private static final int ROWS = 20;

    private final Map<Shape, Usage> shapes = new LinkedHashMap<>();
    private final Map<Lost, Usage> lost = new LinkedHashMap<>();
    private String from = "";
    private String to = "";
    private int entries;
    private int fetches;

    void add(ProfileEntry entry) {
        entries++;
        from = from.isEmpty() || entry.time().compareTo(from) < 0 ? entry.time() : from;
        to = entry.time().compareTo(to) > 0 ? entry.time() : to;
        if (entry.op().equals("getmore") || entry.command().containsKey("getMore")) {
            fetches++;
            return;
        }
        try {
            Shape shape = ShapeReader.read(entry.op(), entry.command(), entry.rows());
            shapes.computeIfAbsent(shape, s -> new Usage()).add(entry);
        } catch (Untranslatable e) {
            lost.computeIfAbsent(new Lost(e.reason(), Redaction.of(entry.command())), k -> new Usage())
                    .add(entry);
        }
    }

    /**
     * The operations that the indexes of a collection suggest: equality on each index's fields, and a range on its last one.
     *
     * @param metadata the text of its {@code .metadata.json}; empty: there is only the index on {@code _id}
     */
    static ObservedLoad guess(String metadata) {
        ObservedLoad load = new ObservedLoad();
        load.guess(find(List.of(equal(ID)), List.of(), 0));
        try {
            MongoIndex.all(metadata).forEach(load::guess);
        } catch (TextException e) {
            load.lose(new Lost("the metadata are not valid JSON", "indexes"));
        }
        return load;
    }

    /** Adds the queries that an index is probably there for. */
    private void guess(MongoIndex index) {
        List<String> paths = index.parts().stream().map(Part::path).toList();
        if (paths.isEmpty()) {
            return;
        }
        String kind = "";
        for (Part part : index.parts()) {
            if (part.isWildcard()) {
                kind = "a wildcard index";
            } else if (!part.isOrdered() && !part.kind().equals(MongoIndex.HASHED)) {
                kind = "an index of type " + part.kind();
            }
        }
        if (!kind.isEmpty()) {
            lose(new Lost(kind + " does not tell which queries it serves", "index on " + String.join(", ", paths)));
            return;
        }
        Part last = index.parts().get(paths.size() - 1);
        guess(find(paths.stream().map(ObservedLoad::equal).toList(), List.of(), 0));
        if (last.isOrdered()) {
            boolean down = last.kind().equals(MongoIndex.DESCENDING);
            List<Filter> range = new ArrayList<>();
            paths.subList(0, paths.size() - 1).forEach(path -> range.add(equal(path)));
            range.add(new Filter.Field(last.path(), new Condition.Range(!down, down)));
            guess(find(range, List.of(new SortKey(last.path(), down)), ROWS));
        }
    }

    private static Filter equal(String path) {
        return new Filter.Field(path, Condition.Plain.EQUAL);
    }

    private static Shape find(List<Filter> filters, List<SortKey> sort, int limit) {
        return new Shape.Find(Filter.all(filters), sort, limit, 0, Projection.WHOLE);
    }

    private void guess(Shape shape) {
        shapes.putIfAbsent(shape, Usage.guess());
    }

    private void lose(Lost index) {
        lost.putIfAbsent(index, Usage.guess());
    }

    /** In the order in which they were first seen. */
    Map<Shape, Usage> shapes() {
        return shapes;
    }

    /** In the order in which they were first seen. */
    Map<Lost, Usage> lost() {
        return lost;
    }

    /** The profiler's entries; 0: the shapes are guesses. */
    int entries() {
        return entries;
    }

    /** Entries that fetched further rows of a query. */
    int fetches() {
        return fetches;
    }

    /** The time of the first entry, ISO 8601; empty if unknown. */
    String from() {
        return from;
    }

    /** The time of the last entry, ISO 8601; empty if unknown. */
    String to() {
        return to;
    }

    /** The duration of the fastest operation in milliseconds. */
    int fastestMillis() {
        return shapes.values().stream().mapToInt(Usage::fastest).min().orElse(0);
    }

    /**
     * An operation that the profiler recorded.
     *
     * @param op its kind: query, update, remove, insert, command, getmore
     * @param command the command as it was sent
     * @param application the client's name of itself; empty if unknown
     * @param millis duration in milliseconds
     * @param rows documents that it returned, changed, deleted or inserted
     * @param examined documents that the server looked at
     * @param time when it ended, ISO 8601; empty if unknown
     */
    record ProfileEntry(
            Namespace namespace,
            String op,
            Map<String, Object> command,
            String application,
            int millis,
            int rows,
            int examined,
            String time) {
        private static final String[] ROWS = {"nreturned", "nModified", "nMatched", "ndeleted", "ninserted"};

        static ProfileEntry of(Map<String, Object> document) {
            int rows = 0;
            for (String name : ROWS) {
                rows = Math.max(rows, BsonValues.whole(document.get(name)));
            }
            return new ProfileEntry(
                    Namespace.of(BsonValues.text(document.get("ns"))),
                    BsonValues.text(document.get("op")),
                    BsonValues.map(document.get("command")),
                    BsonValues.text(document.get("appName")),
                    BsonValues.whole(document.get("millis")),
                    rows,
                    BsonValues.whole(document.get("docsExamined")),
                    iso(BsonValues.millis(document.get("ts"))));
        }

        /** The time in seconds as ISO 8601; empty if it is unknown. */
        private static String iso(@Nullable Long millis) {
            return millis == null
                    ? ""
                    : Instant.ofEpochMilli(millis)
                            .truncatedTo(ChronoUnit.SECONDS)
                            .toString();
        }
    }
}
