package io.pgstress.bson;

import java.util.List;
import java.util.regex.Pattern;

/** Paths to fields of documents, as MongoDB writes them: names separated by dots. */
public final class FieldPath {
    private static final Pattern POSITION = Pattern.compile("0|[1-9][0-9]{0,8}");

    private FieldPath() {}

    /** The names in a path as MongoDB writes it, where each dot separates two names; any name is allowed. */
    public static List<String> names(String mongoPath) {
        return List.of(mongoPath.split("\\.", -1));
    }

    /** Whether the name can be an element's number in an array. */
    public static boolean isPosition(String name) {
        return POSITION.matcher(name).matches();
    }
}
