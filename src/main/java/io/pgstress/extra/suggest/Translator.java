package io.pgstress.extra.suggest;

import io.pgstress.extra.suggest.Shape.Projection;
import io.pgstress.extra.suggest.Shape.SortKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Translates shapes into statements on a table of a collection's documents. */
public final class Translator {
    private static final int MAX_NAME = 48;

    private final DocumentFacts facts;

    public Translator(DocumentFacts facts) {
        this.facts = facts;
    }

    /**
     * The statement of a shape.
     *
     * @throws io.pgstress.extra.suggest.Untranslatable if there is none
     */
    public Statement translate(Shape shape, Usage usage) {
        boolean deletes = shape instanceof Shape.Delete;
        Parameters parameters = new Parameters(deletes);
        boolean changes = deletes || shape instanceof Shape.Update || shape instanceof Shape.Insert;
        String sql = changes
                ? new ChangingSql(facts, parameters).of(shape, usage)
                : new ReadingSql(facts, parameters).of(shape, usage);
        return new Statement(name(shape), verb(shape), note(shape), changes, parameters.texts(), sql);
    }

    private static String verb(Shape shape) {
        return shape.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }

    private static String name(Shape shape) {
        StringBuilder name = new StringBuilder(verb(shape));
        if (shape instanceof Shape.Insert) {
            return name.append("_documents").toString();
        }
        if (shape instanceof Shape.Distinct distinct) {
            name.append('_').append(Parameters.name(distinct.path()));
        }
        String by = names(shape.filter());
        if (shape instanceof Shape.Group group) {
            by = group.keys().stream().map(Parameters::name).collect(Collectors.joining("_"))
                    + (by.isEmpty() ? "" : "_of_" + by);
        }
        name.append(by.isEmpty() ? "_all" : "_by_" + by);
        if (shape instanceof Shape.Find find && !find.sort().isEmpty()) {
            name.append("_sorted");
        }
        return name.length() > MAX_NAME ? name.substring(0, MAX_NAME) : name.toString();
    }

    private static String names(Filter filter) {
        return filter.paths().stream()
                .map(path -> path.equals("_id") ? "id" : Parameters.name(path))
                .distinct()
                .collect(Collectors.joining("_"));
    }

    private static String note(Shape shape) {
        if (shape instanceof Shape.Find find && find.projection().hasExpressions()) {
            return "the projection has expressions: the whole document is read";
        }
        return shape instanceof Shape.Update update && update.upserts()
                ? "an upsert: the row always exists, so this is only its update"
                : "";
    }

    /** Statements that read. */
    static final class ReadingSql {
        private static final String TABLE = "${table}";

        private final DocumentFacts facts;
        private final FilterSql filters;
        private final RowsSql rows;

        ReadingSql(DocumentFacts facts, Parameters parameters) {
            this.facts = facts;
            this.filters = new FilterSql(facts, parameters);
            this.rows = new RowsSql(facts);
        }

        String of(Shape shape, Usage usage) {
            if (shape instanceof Shape.Find find) {
                return find(find, usage);
            }
            if (shape instanceof Shape.Count count) {
                Selection chosen = countable(count.filter(), count.limit(), usage);
                return chosen.isWhole()
                        ? rows.select("count(*)", TABLE, where(count.filter(), chosen), chosen, 0)
                        : "select count(*)\nfrom "
                                + RowsSql.subquery(rows.select("_id", TABLE, where(count.filter(), chosen), chosen, 0))
                                + " x";
            }
            if (shape instanceof Shape.Distinct distinct) {
                return distinct(distinct, usage);
            }
            return group((Shape.Group) shape, usage);
        }

        private String where(Filter filter, Selection chosen) {
            return filters.of(filter, chosen.down());
        }

        private String find(Shape.Find find, Usage usage) {
            Selection chosen = Selection.of(find.filter(), find.sort(), find.limit(), usage, facts);
            return rows.select(columns(find.projection()), TABLE, where(find.filter(), chosen), chosen, find.skip());
        }

        private String columns(Projection projection) {
            List<String> columns = new ArrayList<>();
            for (String path : projection.only()) {
                columns.add(
                        path.equals("_id")
                                ? "_id"
                                : PathSql.of(path, "", facts).json("data") + " as \"" + Parameters.name(path) + "\"");
            }
            StringBuilder rest = new StringBuilder("data");
            for (String path : projection.without()) {
                String keys = List.of(path.split("\\.", -1)).stream()
                        .map(Literal::of)
                        .collect(Collectors.joining(", ", "array[", "]"));
                rest.append(path.equals("_id") ? "" : " #- " + keys);
            }
            return columns.isEmpty() ? rest.toString() : String.join(", ", columns);
        }

        /** The rows to count: of a range, as many as MongoDB looked at; without a range, all. */
        private Selection countable(Filter filter, int limit, Usage usage) {
            boolean hasRange =
                    !Selection.of(filter, List.of(), 1, usage, facts).order().isEmpty();
            Selection all = new Selection(List.of(), limit, Optional.empty(), 0, Set.of());
            return hasRange
                    ? Selection.of(filter, List.of(), limit > 0 ? limit : Math.max(1, usage.examined()), usage, facts)
                    : all;
        }

        private String distinct(Shape.Distinct distinct, Usage usage) {
            PathSql path = PathSql.of(distinct.path(), "", facts);
            Selection chosen = countable(distinct.filter(), 0, usage);
            String from = from(distinct.filter(), chosen);
            return path.hasArrays()
                    ? "select distinct e\nfrom " + RowsSql.subquery("select data\nfrom " + from) + " y, "
                            + path.elements("data")
                    : "select distinct " + rows.value(distinct.path()) + "\nfrom " + from;
        }

        /** A table, or a subquery, with the rows of the filter. */
        private String from(Filter filter, Selection chosen) {
            String where = where(filter, chosen);
            return chosen.isWhole()
                    ? TABLE + RowsSql.where(where)
                    : RowsSql.subquery(rows.select("_id, data", TABLE, where, chosen, 0)) + " x";
        }

        private String group(Shape.Group group, Usage usage) {
            List<String> columns = new ArrayList<>();
            group.keys().forEach(path -> columns.add(rows.value(path)));
            int keys = columns.size();
            group.totals().forEach(total -> columns.add(total(total)));
            boolean isLimited = group.limit() > 0 && keys > 0;
            if (columns.isEmpty()) {
                columns.add("count(*)");
            }
            String by =
                    IntStream.rangeClosed(1, keys).mapToObj(Integer::toString).collect(Collectors.joining(", "));
            String from = from(group.filter(), countable(group.filter(), 0, usage));
            return "select " + String.join(", ", columns) + "\nfrom " + from
                    + (keys > 0 ? "\ngroup by " + by : "")
                    + (isLimited ? "\norder by count(*) desc\nlimit " + group.limit() : "");
        }

        private String total(Shape.Total total) {
            if (total.function().equals("count")) {
                return "count(*)";
            }
            PathSql path = PathSql.of(total.path(), "", facts);
            String number = "(" + path.text("data") + ")::numeric";
            return total.function() + "(case when jsonb_typeof(" + path.json("data") + ") = 'number' then " + number
                    + " end)";
        }
    }

    /** Signals that an operation has no counterpart on jsonb; the message is the reason, and contains no values. */
    public static final class Untranslatable extends RuntimeException {
        private static final long serialVersionUID = 1;

        public Untranslatable(String reason) {
            super(reason, null, false, false);
        }

        /** The reason, for a person. */
        public String reason() {
            return String.valueOf(getMessage());
        }
    }

    /**
     * An operation for an operations file.
     *
     * @param name a proposal, made of letters, digits and _; several operations may have the same
     * @param step the name of its step
     * @param note what is not translated exactly; empty: nothing
     * @param changes whether it changes the copy table
     * @param parameters descriptions of the parameters by name, as YAML
     * @param sql the statement, in several lines
     */
    public record Statement(
            String name, String step, String note, boolean changes, Map<String, String> parameters, String sql) {}

    /** The clauses of a query that choose rows. */
    record RowsSql(DocumentFacts facts) {
        /**
         * A query.
         *
         * @param columns what it selects, in terms of {@code _id} and {@code data}
         * @param where the condition
         * @param skip rows to leave out
         */
        String select(String columns, String table, String where, Selection rows, int skip) {
            String from = rows.inner()
                    .map(along -> subquery("select _id, data\nfrom " + table + where(where) + order(List.of(along))
                                    + "\nlimit " + rows.innerLimit())
                            + " x")
                    .orElse(table + where(where));
            return "select " + columns + "\nfrom " + from + order(rows.order())
                    + (rows.limit() > 0 ? "\nlimit " + rows.limit() : "")
                    + (skip > 0 ? "\noffset " + skip : "");
        }

        /** A query in parentheses. */
        static String subquery(String query) {
            return "(\n" + query.indent(2) + ")";
        }

        static String where(String condition) {
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
            return path.equals("_id") ? "_id" : PathSql.of(path, "", facts).comparable("data");
        }

        /** The value at a path, or the key column. */
        String value(String path) {
            return path.equals("_id") ? "_id" : PathSql.of(path, "", facts).json("data");
        }
    }
}
