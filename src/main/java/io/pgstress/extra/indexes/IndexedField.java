package io.pgstress.extra.indexes;

import io.pgstress.bson.FieldPath;
import io.pgstress.extra.indexes.Shapes.Kinds;
import io.pgstress.text.Quoting;
import java.util.List;

/**
 * A field of the documents, as SQL on the column {@code data}.
 *
 * @param names the names in its path
 * @param kinds the {@link Kinds} found at each of these names
 */
record IndexedField(List<String> names, List<Integer> kinds) {
    private static final String DATA = "data";

    IndexedField {
        names = List.copyOf(names);
        kinds = List.copyOf(kinds);
    }

    /** The value at these names, none of which is an element's number. */
    static String json(List<String> names) {
        return new IndexedField(names, names.stream().map(name -> 0).toList()).json();
    }

    /** Whether it is {@code _id}, which is also a column. */
    boolean isKey() {
        return names.equals(List.of("_id"));
    }

    /** The kinds of its own values. */
    int ownKinds() {
        return kinds.get(kinds.size() - 1);
    }

    /** How many names lead to the first array on the path whose elements, not one by its number, are meant; 0 if there is none. */
    int arrayAfter() {
        for (int i = 0; i < names.size(); i++) {
            boolean byNumber = i + 1 < names.size() && isSubscript(i + 1);
            if ((kinds.get(i) & Kinds.ARRAY) != 0 && !byNumber) {
                return i + 1;
            }
        }
        return 0;
    }

    boolean isMultikey() {
        return arrayAfter() > 0;
    }

    /** Whether it is a field of the documents in an array. */
    boolean isInElements() {
        return isMultikey() && arrayAfter() < names.size();
    }

    /** Whether this name is an element's number, because only arrays were found before it. */
    private boolean isSubscript(int i) {
        return i > 0
                && FieldPath.isPosition(names.get(i))
                && (kinds.get(i - 1) & (Kinds.ARRAY | Kinds.DOCUMENT)) == Kinds.ARRAY;
    }

    /** The value as jsonb, such as {@code data -> 'a' -> 'b'}; null if it is missing. */
    String json() {
        return json(names.size());
    }

    /** The value that the first {@code count} names lead to. */
    String json(int count) {
        StringBuilder sql = new StringBuilder(DATA);
        for (int i = 0; i < count; i++) {
            sql.append(" -> ").append(step(i));
        }
        return sql.toString();
    }

    private String step(int i) {
        return isSubscript(i) ? names.get(i) : Quoting.literal(names.get(i));
    }

    /** The path with dots. */
    String path() {
        return String.join(".", names);
    }

    /** The path up to the first array. */
    String pathOfArray() {
        return String.join(".", names.subList(0, arrayAfter()));
    }

    /** Whether its values are dates, in a form that sorts by time, or null. */
    boolean isDate(boolean canonical) {
        return ownKinds() != 0 && mayBeDate(canonical) && (ownKinds() & Kinds.NULL) != ownKinds();
    }

    /** Whether nothing but such dates and nulls was found, or nothing at all. */
    boolean mayBeDate(boolean canonical) {
        int dates = canonical ? Kinds.DATE | Kinds.OTHER_DATE : Kinds.DATE;
        return !isMultikey() && (ownKinds() & ~(dates | Kinds.NULL)) == 0;
    }

    /**
     * A date in a form that sorts by time: milliseconds since 1970 in canonical JSON, otherwise text without the final Z, which
     * would sort after a fraction of the second.
     */
    String date(boolean canonical) {
        return canonical
                ? "(" + json() + " -> '$date' ->> '$numberLong')::bigint"
                : "rtrim(" + json() + " ->> '$date', 'Z')";
    }
}
