package io.pgstress.extra.diff;

import io.pgstress.extra.diff.DiffSummary.DifferentRow;
import io.pgstress.extra.diff.DiffSummary.PathDifference;
import io.pgstress.text.Json;
import io.pgstress.text.TextException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Finds the paths at which two JSON texts differ as jsonb compares them: numbers by value, objects without order. */
final class JsonDifference {
    private static final int MAX_PATHS = 3;
    private static final int MAX_SHOWN = 60;

    private final List<PathDifference> found = new ArrayList<>();

    private JsonDifference() {}

    /** The row that differs, with the first paths in the order of their names. */
    static DifferentRow of(String id, String dump, String table) {
        JsonDifference difference = new JsonDifference();
        try {
            difference.compare("", Json.readExact(dump), Json.readExact(table));
        } catch (TextException e) {
            return new DifferentRow(id, List.of(), false, "the path cannot be determined: " + e.getMessage());
        }
        List<PathDifference> paths = difference.found;
        boolean more = paths.size() > MAX_PATHS;
        return new DifferentRow(
                id,
                paths.subList(0, more ? MAX_PATHS : paths.size()),
                more,
                paths.isEmpty() ? "the path cannot be determined" : null);
    }

    /** A row with a side that is too large to be parsed. */
    static DifferentRow tooLarge(String id) {
        return new DifferentRow(id, List.of(), false, "too large to determine the path");
    }

    private void compare(String path, @Nullable Object dump, @Nullable Object table) {
        if (found.size() > MAX_PATHS) {
            return;
        }
        if (dump instanceof Map<?, ?> a && table instanceof Map<?, ?> b) {
            TreeSet<String> names = new TreeSet<>();
            a.keySet().forEach(name -> names.add(String.valueOf(name)));
            b.keySet().forEach(name -> names.add(String.valueOf(name)));
            for (String name : names) {
                String at = path.isEmpty() ? name : path + "." + name;
                member(at, a.containsKey(name), a.get(name), b.containsKey(name), b.get(name));
            }
        } else if (dump instanceof List<?> a && table instanceof List<?> b) {
            for (int i = 0; i < Math.max(a.size(), b.size()); i++) {
                boolean inDump = i < a.size();
                boolean inTable = i < b.size();
                String at = path.isEmpty() ? "" + i : path + "." + i;
                member(at, inDump, inDump ? a.get(i) : null, inTable, inTable ? b.get(i) : null);
            }
        } else if (!isSame(dump, table)) {
            add(path, shown(dump), shown(table));
        }
    }

    private void member(String path, boolean inDump, @Nullable Object dump, boolean inTable, @Nullable Object table) {
        if (inDump && inTable) {
            compare(path, dump, table);
        } else {
            add(path, inDump ? shown(dump) : null, inTable ? shown(table) : null);
        }
    }

    private void add(String path, @Nullable String dump, @Nullable String table) {
        if (found.size() <= MAX_PATHS) {
            found.add(new PathDifference(path, dump, table));
        }
    }

    private static boolean isSame(@Nullable Object a, @Nullable Object b) {
        if (a instanceof Number x && b instanceof Number y) {
            return exact(x).compareTo(exact(y)) == 0;
        }
        return Objects.equals(a, b);
    }

    private static BigDecimal exact(Number number) {
        return number instanceof BigDecimal decimal ? decimal : new BigDecimal(number.toString());
    }

    private static String shown(@Nullable Object value) {
        String text = Json.writeExact(value);
        if (text.length() <= MAX_SHOWN) {
            return text;
        }
        int end = MAX_SHOWN - (Character.isHighSurrogate(text.charAt(MAX_SHOWN - 1)) ? 1 : 0);
        return text.substring(0, end) + "...";
    }
}
