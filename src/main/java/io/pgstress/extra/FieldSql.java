package io.pgstress.extra;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.FieldPath;
import io.pgstress.bson.json.DateText;
import io.pgstress.text.Quoting;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * A field of documents as SQL on jsonb. MongoDB looks into the elements of the arrays that it meets on the path.
 *
 * @param names the names in its path; none: an element of an array itself
 * @param kinds the {@link Kinds} found at each of these names
 */
public record FieldSql(List<String> names, List<Integer> kinds) {
    /** An element of an array itself. */
    public static final FieldSql ELEMENT = new FieldSql(List.of(), List.of());

    private static final String DATA = "data";

    public FieldSql {
        names = List.copyOf(names);
        kinds = List.copyOf(kinds);
    }

    /** Whether it is {@code _id}, which is also a column. */
    public boolean isKey() {
        return names.equals(List.of("_id"));
    }

    /** The kinds of its own values. */
    public int ownKinds() {
        return kinds.isEmpty() ? 0 : kinds.get(kinds.size() - 1);
    }

    /** Whether this name is an element's number, because only arrays were found before it. */
    private boolean isSubscript(int i) {
        return i > 0
                && i < names.size()
                && FieldPath.isPosition(names.get(i))
                && (kinds.get(i - 1) & (Kinds.ARRAY | Kinds.DOCUMENT)) == Kinds.ARRAY;
    }

    /** Whether the rest of the path applies to the elements of an array at this name. */
    private boolean isArray(int i) {
        return (kinds.get(i) & Kinds.ARRAY) != 0 && !isSubscript(i + 1);
    }

    /** How many names lead to the first array on the path whose elements, not one by its number, are meant; 0 if there is none. */
    public int arrayAfter() {
        for (int i = 0; i < names.size(); i++) {
            if (isArray(i)) {
                return i + 1;
            }
        }
        return 0;
    }

    /** Whether it looks into elements of arrays. */
    public boolean isMultikey() {
        return arrayAfter() > 0;
    }

    /** Whether it is a field of the documents in an array. */
    public boolean isInElements() {
        return isMultikey() && arrayAfter() < names.size();
    }

    /** Whether only the value itself is an array, and none on the way to it. */
    public boolean isPlainArray() {
        return isMultikey() && arrayAfter() == names.size();
    }

    /** A copy whose value is an array, even if no document shows that. */
    public FieldSql ofArray() {
        if (names.isEmpty()) {
            return this;
        }
        List<Integer> all = new ArrayList<>(kinds);
        all.set(all.size() - 1, ownKinds() | Kinds.ARRAY);
        return new FieldSql(names, all);
    }

    /** The value as jsonb, such as {@code data -> 'a' -> 'b'}; null if it is missing. */
    public String json() {
        return json(DATA);
    }

    /** The value in this jsonb, {@code data} or an element. */
    public String json(String base) {
        return json(base, names.size());
    }

    /** The value that the first {@code count} names lead to. */
    public String json(int count) {
        return json(DATA, count);
    }

    private String json(String base, int count) {
        StringBuilder sql = new StringBuilder(base);
        for (int i = 0; i < count; i++) {
            sql.append(" -> ").append(step(i));
        }
        return sql.toString();
    }

    private String step(int i) {
        return isSubscript(i) ? names.get(i) : literal(names.get(i));
    }

    /** The value as text: {@code data -> 'a' ->> 'b'}. */
    public String text(String base) {
        int last = names.size() - 1;
        return last < 0 ? base + " #>> '{}'" : json(base, last) + " ->> " + step(last);
    }

    /** Whether its values are dates, in a form that sorts by time, or null. */
    public boolean isDate(boolean canonical) {
        return mayBeDate(canonical) && (ownKinds() & ~Kinds.NULL) != 0;
    }

    /** Whether nothing but such dates and nulls was found, or nothing at all. */
    public boolean mayBeDate(boolean canonical) {
        int dates = canonical ? Kinds.DATE | Kinds.OTHER_DATE : Kinds.DATE;
        return !isMultikey() && (ownKinds() & ~(dates | Kinds.NULL)) == 0;
    }

    /**
     * A date in a form that sorts by time: milliseconds since 1970 in canonical JSON, otherwise text without the final Z, which
     * would sort after a fraction of the second.
     */
    public String date(String base, boolean canonical) {
        return canonical
                ? "(" + json(base) + " -> '$date' ->> '$numberLong')::bigint"
                : "rtrim(" + json(base) + " ->> '$date', 'Z')";
    }

    /** Why ranges and sorting by {@link #json} or {@link #date} do not follow the values; empty if they do. */
    public String unordered(boolean canonical) {
        if (isDate(canonical)) {
            return "";
        }
        List<String> why = new ArrayList<>();
        if (canonical && (ownKinds() & Kinds.NUMBER) != 0) {
            why.add("canonical Extended JSON stores numbers as text");
        }
        if ((ownKinds() & Kinds.DECIMAL) != 0) {
            why.add("decimals are stored as {\"$numberDecimal\": text}, so ranges and sorting would compare text");
        }
        if ((ownKinds() & (Kinds.DATE | Kinds.OTHER_DATE)) != 0) {
            why.add("it has "
                    + (canonical ? "values other than dates" : "values other than dates of the years 1970 to 9999")
                    + ", so ranges and sorting would not follow the time");
        }
        return String.join("; ", why);
    }

    /** The value in relaxed JSON as something to compare and to sort by, which an index of the import can serve. */
    public String comparable(String base) {
        return isDate(false) ? date(base, false) : json(base);
    }

    /** Whether an element has this value: {@code data -> 'a' @> ...}. Only if it {@link #isMultikey}. */
    public String contains(String base, String value) {
        int first = arrayAfter();
        return json(base, first) + " @> jsonb_build_array(" + nested(value, first) + ")";
    }

    /** Whether the document has this value here: {@code data @> ...}, which GIN on whole documents serves. */
    public String isContained(String value) {
        return DATA + " @> " + nested(value, 0);
    }

    /** Whether {@link #isContained} means the same as a comparison: no position leads here, and a value contains only itself. */
    public boolean isContainable() {
        return (ownKinds() & Kinds.DOCUMENT) == 0
                && IntStream.range(0, names.size()).noneMatch(this::isSubscript);
    }

    /** A value in the objects and arrays on the way to it, from the name with this number on. */
    private String nested(String value, int first) {
        String inner = value;
        for (int i = names.size() - 1; i >= first; i--) {
            inner = isArray(i) ? "jsonb_build_array(" + inner + ")" : inner;
            inner = "jsonb_build_object(" + literal(names.get(i)) + ", " + inner + ")";
        }
        return inner;
    }

    /** All values at the path as rows {@code e}. */
    public String elements(String base) {
        StringBuilder path = new StringBuilder("$");
        for (int i = 0; i < names.size(); i++) {
            path.append(isSubscript(i) ? "[" + names.get(i) + "]" : "." + Quoting.element(names.get(i)))
                    .append(isArray(i) ? "[*]" : "");
        }
        return "jsonb_path_query(" + base + ", " + literal(path.toString()) + ") e";
    }

    /** The path to draw single values from, below {@code within}: the first element of each array. */
    public String valuePath(String within) {
        StringBuilder path = new StringBuilder(within);
        for (int i = 0; i < names.size(); i++) {
            path.append(path.isEmpty() ? "" : ".").append(names.get(i)).append(isArray(i) ? ".0" : "");
        }
        return path.toString();
    }

    /** The path to draw whole values from. */
    public String wholePath(String within) {
        String path = valuePath(within);
        boolean endsInArray = !names.isEmpty() && isArray(names.size() - 1);
        return endsInArray ? path.substring(0, path.length() - ".0".length()) : path;
    }

    /** The path with dots. */
    public String path() {
        return String.join(".", names);
    }

    /** The path up to the first array. */
    public String pathOfArray() {
        return String.join(".", names.subList(0, arrayAfter()));
    }

    /**
     * A text in quotes that stays on one line, also in a YAML file: an E'' literal if it has control characters, or what looks like
     * a placeholder of an operations file.
     */
    public static String literal(String text) {
        StringBuilder printable = new StringBuilder();
        for (int at = 0; at < text.length(); ) {
            int c = text.codePointAt(at);
            at += Character.charCount(c);
            boolean isPlaceholder = c == '$' && at < text.length() && text.charAt(at) == '{';
            if (isPlaceholder || !Quoting.isPrintable(c)) {
                printable.append(String.format(Locale.ROOT, c > 0xffff ? "\\U%08X" : "\\u%04X", c));
            } else {
                printable.append(c == '\\' ? "\\\\" : Character.toString(c));
            }
        }
        String all = printable.toString();
        return all.contains("\\") ? "E'" + all.replace("'", "\\'") + "'" : "'" + all.replace("'", "''") + "'";
    }

    /** Sets of kinds of values, one bit each, as far as they matter for SQL. */
    public static final class Kinds {
        public static final int NULL = 1;
        public static final int NUMBER = 1 << 1;
        public static final int STRING = 1 << 2;
        /** A date that relaxed JSON writes as text. */
        public static final int DATE = 1 << 3;

        public static final int OTHER_DATE = 1 << 4;
        public static final int DOCUMENT = 1 << 5;
        public static final int ARRAY = 1 << 6;
        public static final int OTHER = 1 << 7;
        /** A number that is stored as text in a wrapper and sorts as text. */
        public static final int DECIMAL = 1 << 8;

        private Kinds() {}

        /** The kind of a value of this BSON type. */
        public static int of(int type, byte[] bytes, int at) {
            return switch (type) {
                case BsonType.NULL, BsonType.UNDEFINED -> NULL;
                case BsonType.DOUBLE, BsonType.INT32, BsonType.INT64 -> NUMBER;
                case BsonType.STRING, BsonType.SYMBOL -> STRING;
                case BsonType.DATE -> DateText.isIso(Bytes.longAt(bytes, at)) ? DATE : OTHER_DATE;
                case BsonType.DOCUMENT -> DOCUMENT;
                case BsonType.ARRAY -> ARRAY;
                case BsonType.DECIMAL128 -> OTHER | DECIMAL;
                default -> OTHER;
            };
        }
    }
}
