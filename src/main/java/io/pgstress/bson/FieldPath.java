package io.pgstress.bson;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The path to a value in documents: names of fields, and positions in arrays from 0. It finds what {@code data #> '{a,b,0}'}
 * finds in the document's jsonb.
 *
 * @param names not empty
 */
public record FieldPath(List<String> names) {
    private static final Pattern PART = Pattern.compile("\"((?:[^\"]|\"\")+)\"|([^.\"]+)");

    /** What {@code #>} would read as a position in an array other than one from 0 on. */
    private static final Pattern ODD_POSITION = Pattern.compile("\\s*[+-]\\d+|\\s+\\d+");

    private static final Pattern POSITION = Pattern.compile("0|[1-9][0-9]{0,8}");

    private static final List<String> OF_REFERENCES = List.of("$ref", "$id", "$db");

    public FieldPath {
        names = List.copyOf(names);
        for (String name : names) {
            if (ODD_POSITION.matcher(name).matches()) {
                throw new IllegalArgumentException(
                        "'" + name + "' is not a position in an array: write 0, 1, 2, ... (from the start)");
            }
            if (name.startsWith("$") && !OF_REFERENCES.contains(name)) {
                throw new IllegalArgumentException("'" + name + "' belongs to Extended JSON: name the field before it");
            }
            if (name.indexOf('\0') >= 0) {
                throw new IllegalArgumentException("a field's name cannot contain U+0000");
            }
        }
    }

    /**
     * Reads names separated by dots. A name with a dot or a quote stands in double quotes.
     *
     * @throws IllegalArgumentException if it is not a path
     */
    public static FieldPath parse(String text) {
        List<String> names = new ArrayList<>();
        Matcher part = PART.matcher(text);
        int at = 0;
        while (part.find(at) && part.start() == at) {
            String quoted = part.group(1);
            names.add(quoted == null ? part.group(2) : quoted.replace("\"\"", "\""));
            at = part.end();
            if (at == text.length()) {
                return new FieldPath(names);
            }
            if (text.charAt(at) != '.') {
                break;
            }
            at++;
        }
        throw new IllegalArgumentException(
                "'" + text + "' is not a path such as a.b or a.\"name.with.dots\".0: see its character " + (at + 1));
    }

    /** The names in a path as MongoDB writes it, where each dot separates two names; any name is allowed. */
    public static List<String> names(String mongoPath) {
        return List.of(mongoPath.split("\\.", -1));
    }

    /** Whether the name can be an element's number in an array. */
    public static boolean isPosition(String name) {
        return POSITION.matcher(name).matches();
    }

    /** The text that {@link #parse} reads as this path. */
    @Override
    public String toString() {
        return String.join(".", names.stream().map(FieldPath::written).toList());
    }

    private static String written(String name) {
        return name.contains(".") || name.contains("\"") ? '"' + name.replace("\"", "\"\"") + '"' : name;
    }
}
