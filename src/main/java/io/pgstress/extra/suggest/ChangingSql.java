package io.pgstress.extra.suggest;

import io.pgstress.extra.suggest.ChangingSql.ChangeSql;
import io.pgstress.extra.suggest.Shape.Change;
import io.pgstress.extra.suggest.Shape.SortKey;
import io.pgstress.extra.suggest.Translator.RowsSql;
import io.pgstress.extra.suggest.Translator.Untranslatable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Statements that change rows, all of them in the copy table. */
final class ChangingSql {
    private static final String COPY = "${copy}";
    /** Bytes of sampled documents that a process holds for each operation that sends documents. */
    private static final long SAMPLE_BYTES = 16L << 20;

    private static final int MIN_SAMPLE = 10;
    private static final int MAX_SAMPLE = 1_000;

    private final DocumentFacts facts;
    private final Parameters parameters;
    private final FilterSql filters;
    private final RowsSql rows;

    ChangingSql(DocumentFacts facts, Parameters parameters) {
        this.facts = facts;
        this.parameters = parameters;
        this.filters = new FilterSql(facts, parameters);
        this.rows = new RowsSql(facts);
    }

    String of(Shape shape, Usage usage) {
        if (shape instanceof Shape.Update update) {
            String target = target(update.filter(), update.many(), update.sort(), usage);
            String data = update.changes().isEmpty()
                    ? document() + " || jsonb_build_object('_id', data -> '_id')"
                    : new UpdateSql(facts, parameters).of(update.changes());
            return "update " + COPY + "\nset data = " + data + RowsSql.where(target);
        }
        if (shape instanceof Shape.Delete delete) {
            return "delete from " + COPY + RowsSql.where(target(delete.filter(), delete.many(), delete.sort(), usage));
        }
        return insert(((Shape.Insert) shape).documents());
    }

    /** The condition for the rows to change. */
    private String target(Filter filter, boolean many, List<SortKey> sort, Usage usage) {
        Selection chosen = Selection.of(filter, sort, many ? 0 : 1, usage, facts);
        String where = filters.of(filter, chosen.down());
        boolean isById = filter.pins("_id");
        if (isById || (many && chosen.isWhole())) {
            return where;
        }
        return "_id " + (many ? "in" : "=") + " " + RowsSql.subquery(rows.select("_id", COPY, where, chosen, 0));
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

    /**
     * New values of fields. They are drawn from the table if any document has such a value, and otherwise made up. Counters change
     * by one.
     */
    static final class ChangeSql {
        private static final Pattern POSITION = Pattern.compile("\\.\\d+(?=\\.|$)");
        private static final String NO_ELEMENTS = "'[]'::jsonb";

        private final DocumentFacts facts;
        private final Parameters parameters;

        ChangeSql(DocumentFacts facts, Parameters parameters) {
            this.facts = facts;
            this.parameters = parameters;
        }

        /**
         * The new value.
         *
         * @param old the value so far
         * @param text the value so far as text
         */
        String of(Change change, String old, String text) {
            String number = "coalesce((" + text + ")::numeric, 0)";
            return switch (change.kind()) {
                case SET -> value(change);
                case NOW -> now();
                case ADD -> "to_jsonb(" + number + " + 1)";
                case SUBTRACT -> "to_jsonb(" + number + " - 1)";
                case MULTIPLY -> "to_jsonb(" + number + " * 1)";
                case MIN -> extreme(old, "<=", value(change));
                case MAX -> extreme(old, ">=", value(change));
                case PUSH -> "coalesce(" + old + ", " + NO_ELEMENTS + ") || " + elements(change, element(change));
                case ADD_TO_SET -> {
                    String added = elements(change, element(change));
                    yield "case when " + old + " @> " + added + " then " + old + " else coalesce(" + old + ", "
                            + NO_ELEMENTS + ") || " + added + " end";
                }
                case PULL ->
                    "coalesce((select jsonb_agg(e) from jsonb_array_elements(" + old + ") e where e <> "
                            + element(change) + "), " + NO_ELEMENTS + ")";
                case POP_FIRST -> "coalesce((" + old + ") - 0, " + NO_ELEMENTS + ")";
                case POP_LAST -> "coalesce((" + old + ") - (-1), " + NO_ELEMENTS + ")";
                case UNSET -> throw new IllegalArgumentException("not a value");
            };
        }

        private static String extreme(String old, String comparison, String value) {
            return "case when " + old + " " + comparison + " " + value + " then " + old + " else " + value + " end";
        }

        private static String elements(Change change, String element) {
            return "jsonb_build_array(" + String.join(", ", Collections.nCopies(change.count(), element)) + ")";
        }

        private String value(Change change) {
            boolean isThere = facts.has(change.path())
                    || facts.has(POSITION.matcher(change.path()).replaceAll(""));
            return isThere ? drawn(change.path()) : madeUp(change.value());
        }

        private String element(Change change) {
            return facts.isArray(change.path()) ? drawn(change.path() + ".0") : madeUp(change.value());
        }

        private String drawn(String path) {
            return ":" + parameters.json(path, new Parameters.Row()) + "::jsonb";
        }

        private static String madeUp(Change.Made made) {
            return switch (made.kind()) {
                case "null" -> "'null'::jsonb";
                case "string" -> "to_jsonb(repeat('x', " + made.size() + "))";
                case "number" -> "to_jsonb((random() * 1000)::int)";
                case "boolean" -> "to_jsonb(random() < 0.5)";
                case "date" -> now();
                case "ObjectId" -> "jsonb_build_object('$oid', left(md5(random()::text), 24))";
                case "array" -> NO_ELEMENTS;
                case "object" -> "'{}'::jsonb";
                default -> throw new Untranslatable("a new value of a type that no document has there");
            };
        }

        private static String now() {
            return "jsonb_build_object('$date', " + IdSql.iso("now()") + ")";
        }
    }

    /** Changes of fields as an expression for the new {@code data}. Objects that are missing are created, as in MongoDB. */
    static final class UpdateSql {
        /** The changes in an object: by key either a change, or the changes in the object there. */
        private static final class Node {
            private final Map<String, Node> children = new LinkedHashMap<>();
            private @Nullable Change change;
        }

        /** A function has at most 100 arguments. */
        private static final int MAX_FIELDS = 50;

        private final DocumentFacts facts;
        private final ChangeSql values;

        UpdateSql(DocumentFacts facts, Parameters parameters) {
            this.facts = facts;
            this.values = new ChangeSql(facts, parameters);
        }

        /** The new document. */
        String of(List<Change> changes) {
            Node root = new Node();
            for (Change change : changes) {
                Node node = root;
                for (String key : change.path().split("\\.", -1)) {
                    node = node.children.computeIfAbsent(key, k -> new Node());
                }
                node.change = change;
            }
            return object(root, "data", "data", "", false);
        }

        /**
         * The object with its changes.
         *
         * @param object the object in SQL, which is not null
         * @param isElement whether it is an element of the array at this path
         */
        private String object(Node node, String object, String base, String path, boolean isElement) {
            if (facts.isArray(path) && !isElement) {
                return array(node, base, path);
            }
            String result = object;
            List<String> pairs = new ArrayList<>();
            for (Map.Entry<String, Node> each : node.children.entrySet()) {
                String key = Literal.of(each.getKey());
                Change change = each.getValue().change;
                if (change != null && change.kind() == Change.Kind.UNSET) {
                    result = result + " - " + key;
                } else {
                    pairs.add(key + ", " + value(each.getValue(), base, key, below(path, each.getKey()), false));
                }
            }
            if (pairs.isEmpty()) {
                return result;
            }
            if (pairs.size() > MAX_FIELDS) {
                throw new Untranslatable("an update of more than " + MAX_FIELDS + " fields of one object");
            }
            String grouped = result.contains(" - ") ? "(" + result + ")" : result;
            String all = path.isEmpty() ? "\n  " + String.join(",\n  ", pairs) : String.join(", ", pairs);
            return grouped + " || jsonb_build_object(" + all + ")";
        }

        /** An array with changes to elements at fixed positions. */
        private String array(Node node, String base, String path) {
            String result = base;
            for (Map.Entry<String, Node> each : node.children.entrySet()) {
                Change change = each.getValue().change;
                boolean isUnset = change != null && change.kind() == Change.Kind.UNSET;
                if (isUnset || each.getKey().isEmpty() || !each.getKey().chars().allMatch(Character::isDigit)) {
                    throw new Untranslatable("an update inside an array");
                }
                result = "jsonb_set(" + result + ", " + Literal.of("{" + each.getKey() + "}") + ", "
                        + value(each.getValue(), base, each.getKey(), path, true) + ")";
            }
            return result;
        }

        private static String below(String path, String key) {
            return path.isEmpty() ? key : path + "." + key;
        }

        /** @param key the key in SQL */
        private String value(Node node, String base, String key, String path, boolean isElement) {
            String old = base + " -> " + key;
            Change change = node.change;
            return change == null
                    ? object(node, "coalesce(" + old + ", '{}'::jsonb)", old, path, isElement)
                    : values.of(change, old, base + " ->> " + key);
        }
    }
}
