package io.pgstress.extra.suggest;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** The parameters of one operation, as its file describes them. Not thread-safe. */
final class Parameters {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_.]*");
    /** What YAML takes for something else than a text. */
    private static final Pattern WORD = Pattern.compile("(?i)null|true|false");

    private static final int MAX_NAME = 40;

    /** Parameters whose values are those of one row. */
    static final class Row {
        private String leader = "";
    }

    private final Map<String, String> texts = new LinkedHashMap<>();
    private final boolean sequential;

    /** @param sequential whether values are used one after the other, so that none is used twice soon */
    Parameters(boolean sequential) {
        this.sequential = sequential;
    }

    /** The descriptions by name. */
    Map<String, String> texts() {
        return texts;
    }

    /** Ids of the table. */
    String id() {
        return add("id", sequential ? "{id: once}" : "{id: any}");
    }

    /** Unique numbers from this start. */
    String sequence(String wanted, long start) {
        return add(wanted, "{sequence: " + start + "}");
    }

    /** A value at this path as jsonb. */
    String json(String path, Row row) {
        return path(path, "as: json", 0, row);
    }

    /** A value at this path as text. */
    String text(String path, Row row) {
        return path(path, "", 0, row);
    }

    /** An array of values at this path. */
    String array(String path, boolean json, int count, Row row) {
        return path(path, json ? "as: json" : "", count, row);
    }

    /** Whole documents, sampled from this number of rows; an array of {@code count} unless that is 1. */
    String documents(int count, int sample) {
        String description = "{path: $, as: json, sample: " + sample + (count == 1 ? "}" : ", count: " + count + "}");
        return add(count == 1 ? "document" : "documents", description);
    }

    private String path(String path, String as, int count, Row row) {
        List<String> parts = new ArrayList<>(List.of("path: " + yaml(path)));
        if (!as.isEmpty()) {
            parts.add(as);
        }
        if (count > 0) {
            parts.add("count: " + count);
        }
        if (!row.leader.isEmpty()) {
            parts.add("with: " + row.leader);
        } else if (sequential) {
            parts.add("distribution: sequential");
        }
        String name = add(path, "{" + String.join(", ", parts) + "}");
        row.leader = row.leader.isEmpty() ? name : row.leader;
        return name;
    }

    private String add(String wanted, String text) {
        String name = name(wanted);
        for (int i = 2; texts.containsKey(name); i++) {
            name = name(wanted) + "_" + i;
        }
        texts.put(name, text);
        return name;
    }

    /** A name for SQL and YAML. */
    static String name(String wanted) {
        String name = wanted.replaceAll("\\.0(?=\\.|$)|\\.\\$(date|oid)$", "")
                .replaceAll("[^A-Za-z0-9_]+", "_")
                .replaceAll("^_+|_+$", "");
        boolean isWord = WORD.matcher(name).matches();
        name = name.isEmpty() || isWord || Character.isDigit(name.charAt(0)) ? "v_" + name : name;
        return name.length() > MAX_NAME ? name.substring(0, MAX_NAME) : name;
    }

    /** A text as a YAML value in a flow mapping. */
    static String yaml(String text) {
        if (PLAIN.matcher(text).matches() && !WORD.matcher(text).matches()) {
            return text;
        }
        StringBuilder quoted = new StringBuilder("\"");
        text.codePoints().forEach(c -> {
            if (c == '"' || c == '\\') {
                quoted.append('\\').appendCodePoint(c);
            } else if (c < ' ' || c > '~') {
                quoted.append(String.format(Locale.ROOT, c > 0xffff ? "\\U%08X" : "\\u%04X", c));
            } else {
                quoted.appendCodePoint(c);
            }
        });
        return quoted.append('"').toString();
    }
}
