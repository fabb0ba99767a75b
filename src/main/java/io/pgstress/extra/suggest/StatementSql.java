package io.pgstress.extra.suggest;

import io.pgstress.bson.FieldPath;
import io.pgstress.extra.FieldSql;
import io.pgstress.extra.suggest.Shape.Projection;
import io.pgstress.extra.suggest.Shape.SortKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The statement of a shape. Those that change rows do so in the copy table. */
final class StatementSql {
    private static final String TABLE = "${table}";
    private static final String COPY = "${copy}";
    /** Bytes of sampled documents that a process holds for each operation that sends documents. */
    private static final long SAMPLE_BYTES = 16L << 20;

    private static final int MIN_SAMPLE = 10;
    private static final int MAX_SAMPLE = 1_000;

    private final DocumentFacts facts;
    private final Parameters parameters;
    private final FilterSql filters;
    private final Usage usage;

    /** @param contains see {@link FilterSql} */
    StatementSql(DocumentFacts facts, Parameters parameters, Usage usage, boolean contains) {
        this.facts = facts;
        this.parameters = parameters;
        this.filters = new FilterSql(facts, parameters, contains);
        this.usage = usage;
    }

    String of(Shape shape) {
        if (shape instanceof Shape.Find find) {
            Selection chosen = Selection.of(find.filter(), find.sort(), find.limit(), usage, facts);
            return select(columns(find.projection()), TABLE, find.filter(), chosen)
                    + (find.skip() > 0 ? "\noffset " + find.skip() : "");
        }
        if (shape instanceof Shape.Count count) {
            Selection chosen = countable(count.filter(), count.limit());
            return chosen.isWhole()
                    ? select("count(*)", TABLE, count.filter(), chosen)
                    : "select count(*)\nfrom " + subquery(select("_id", TABLE, count.filter(), chosen)) + " x";
        }
        if (shape instanceof Shape.Distinct distinct) {
            String from = from(distinct.filter());
            FieldSql path = facts.field(distinct.path());
            return path.isMultikey()
                    ? "select distinct e\nfrom " + subquery("select data\nfrom " + from) + " y, "
                            + path.elements("data")
                    : "select distinct " + value(distinct.path()) + "\nfrom " + from;
        }
        if (shape instanceof Shape.Group group) {
            return group(group);
        }
        if (shape instanceof Shape.Update update) {
            String target = target(update.filter(), update.many(), update.sort());
            String data = update.changes().isEmpty()
                    ? document() + " || jsonb_build_object('_id', data -> '_id')"
                    : new UpdateSql(facts, parameters).of(update.changes());
            return "update " + COPY + "\nset data = " + data + where(target);
        }
        if (shape instanceof Shape.Delete delete) {
            return "delete from " + COPY + where(target(delete.filter(), delete.many(), delete.sort()));
        }
        return insert(((Shape.Insert) shape).documents());
    }

    /** A query of columns in terms of {@code _id} and {@code data}. */
    private String select(String columns, String table, Filter filter, Selection rows) {
        String where = where(filters.of(filter, rows.down()));
        String from = rows.inner()
                .map(along -> subquery("select _id, data\nfrom " + table + where + order(List.of(along)) + "\nlimit "
                                + rows.innerLimit())
                        + " x")
                .orElse(table + where);
        return "select " + columns + "\nfrom " + from + order(rows.order())
                + (rows.limit() > 0 ? "\nlimit " + rows.limit() : "");
    }

    /** A query in parentheses. */
    private static String subquery(String query) {
        return "(\n" + query.indent(2) + ")";
    }

    private static String where(String condition) {
        return condition.equals("true") ? "" : "\nwhere " + condition;
    }

    private String order(List<SortKey> keys) {
        return keys.isEmpty()
                ? ""
                : keys.stream()
                        .map(key -> sorted(key.path()) + (key.descending() ? " desc" : ""))
                        .collect(Collectors.joining(", ", "\norder by ", ""));
    }

    private String sorted(String path) {
        return path.equals("_id") ? "_id" : facts.field(path).comparable("data");
    }

    /** The value at a path, or the key column. */
    private String value(String path) {
        return path.equals("_id") ? "_id" : facts.field(path).json();
    }

    private String columns(Projection projection) {
        String columns = projection.only().stream()
                .map(path -> value(path) + (path.equals("_id") ? "" : " as \"" + Parameters.name(path) + "\""))
                .collect(Collectors.joining(", "));
        String without = projection.without().stream()
                .filter(path -> !path.equals("_id"))
                .map(path -> FieldPath.names(path).stream()
                        .map(FieldSql::literal)
                        .collect(Collectors.joining(", ", " #- array[", "]")))
                .collect(Collectors.joining());
        return columns.isEmpty() ? "data" + without : columns;
    }

    /** The rows to count: of a range, as many as MongoDB looked at; without a range, all. */
    private Selection countable(Filter filter, int limit) {
        boolean hasRange =
                !Selection.of(filter, List.of(), 1, usage, facts).order().isEmpty();
        return hasRange
                ? Selection.of(filter, List.of(), limit > 0 ? limit : Math.max(1, usage.examined()), usage, facts)
                : new Selection(List.of(), limit, Optional.empty(), 0, Set.of());
    }

    /** A table, or a subquery, with the rows of the filter. */
    private String from(Filter filter) {
        Selection chosen = countable(filter, 0);
        return chosen.isWhole()
                ? TABLE + where(filters.of(filter, chosen.down()))
                : subquery(select("_id, data", TABLE, filter, chosen)) + " x";
    }

    private String group(Shape.Group group) {
        List<String> columns = new ArrayList<>();
        group.keys().forEach(path -> columns.add(value(path)));
        int keys = columns.size();
        group.totals().forEach(total -> columns.add(total(total)));
        if (columns.isEmpty()) {
            columns.add("count(*)");
        }
        String by = IntStream.rangeClosed(1, keys).mapToObj(Integer::toString).collect(Collectors.joining(", "));
        return "select " + String.join(", ", columns) + "\nfrom " + from(group.filter())
                + (keys > 0 ? "\ngroup by " + by : "")
                + (group.limit() > 0 && keys > 0 ? "\norder by count(*) desc\nlimit " + group.limit() : "");
    }

    private String total(Shape.Total total) {
        if (total.function().equals("count")) {
            return "count(*)";
        }
        FieldSql path = facts.field(total.path());
        return total.function() + "(case when jsonb_typeof(" + path.json() + ") = 'number' then (" + path.text("data")
                + ")::numeric end)";
    }

    /** The condition for the rows to change. */
    private String target(Filter filter, boolean many, List<SortKey> sort) {
        Selection chosen = Selection.of(filter, sort, many ? 0 : 1, usage, facts);
        if (filter.pins("_id") || (many && chosen.isWhole())) {
            return filters.of(filter, chosen.down());
        }
        return "_id " + (many ? "in" : "=") + " " + subquery(select("_id", COPY, filter, chosen));
    }

    private String document() {
        return ":" + parameters.documents(1, sample(1)) + "::jsonb";
    }

    private int sample(int count) {
        long size = Math.max(1, facts.meanBytes());
        return (int) Math.max(Math.max(MIN_SAMPLE, count), Math.min(MAX_SAMPLE, SAMPLE_BYTES / size));
    }

    private String insert(int count) {
        IdSql ids = new IdSql(facts, parameters);
        String number = ids.newNumber(count);
        if (count == 1) {
            return "insert into " + COPY + " (_id, data)\nvalues (" + ids.column(number) + ", " + document()
                    + " || jsonb_build_object('_id', " + ids.json(number) + "))";
        }
        String each = number + " * " + count + " + d.number";
        String documents = ":" + parameters.documents(count, sample(count)) + "::jsonb[]";
        return "insert into " + COPY + " (_id, data)\nselect " + ids.column(each)
                + ", d.document || jsonb_build_object('_id', " + ids.json(each) + ")\nfrom unnest(" + documents
                + ") with ordinality d (document, number)";
    }
}
