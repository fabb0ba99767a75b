package io.pgstress.extra.diff;

import io.pgstress.extra.diff.DiffSummary.DifferentRow;
import io.pgstress.extra.diff.DiffSummary.PathDifference;
import io.pgstress.text.Json;
import io.pgstress.text.TextException;
import java.math.BigDecimal;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;
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
            String inDump = Json.writeExact(dump);
            String inTable = Json.writeExact(table);
            boolean areAlike = seen(inDump).equals(seen(inTable));
            String a = areAlike ? escaped(inDump) : inDump;
            String b = areAlike ? escaped(inTable) : inTable;
            int from = firstShown(a, b);
            add(path, shown(a, from), shown(b, from));
        }
    }

    /** As one sees a text: accents belong to their letters, and some characters are invisible. */
    private static String seen(String text) {
        return Normalizer.normalize(text, Normalizer.Form.NFKC)
                .replaceAll("\\p{Cf}", "")
                .replaceAll("\\p{Z}", " ");
    }

    /** The same JSON in ASCII. */
    private static String escaped(String json) {
        return json.chars()
                .mapToObj(c -> c < 0x7f ? String.valueOf((char) c) : String.format(Locale.ROOT, "\\u%04x", c))
                .collect(Collectors.joining());
    }

    /** Where to begin, so that the first difference is among the characters shown. */
    private static int firstShown(String a, String b) {
        int same = 0;
        while (same < Math.min(a.length(), b.length()) && a.charAt(same) == b.charAt(same)) {
            same++;
        }
        int from = same < MAX_SHOWN / 2 ? 0 : same - MAX_SHOWN / 4;
        return from > 0 && Character.isLowSurrogate(a.charAt(from)) ? from - 1 : from;
    }

    private void member(String path, boolean inDump, @Nullable Object dump, boolean inTable, @Nullable Object table) {
        if (inDump && inTable) {
            compare(path, dump, table);
        } else {
            add(
                    path,
                    inDump ? shown(Json.writeExact(dump), 0) : null,
                    inTable ? shown(Json.writeExact(table), 0) : null);
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

    private static String shown(String json, int from) {
        String before = from > 0 ? "..." : "";
        if (json.length() - from <= MAX_SHOWN) {
            return before + json.substring(from);
        }
        int end = from + MAX_SHOWN - (Character.isHighSurrogate(json.charAt(from + MAX_SHOWN - 1)) ? 1 : 0);
        return before + json.substring(from, end) + "...";
    }
}
