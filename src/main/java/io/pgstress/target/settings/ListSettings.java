package io.pgstress.target.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Settings that are lists of names or files: ALTER SYSTEM takes one literal per element, and reads a single literal as one name. */
final class ListSettings {
    /** Lists of identifiers, which are in lower case unless quoted. */
    private static final Set<String> NAMES = Set.of("search_path", "temp_tablespaces");

    private static final Set<String> FILES = Set.of(
            "local_preload_libraries",
            "session_preload_libraries",
            "shared_preload_libraries",
            "unix_socket_directories");

    private static final Pattern ELEMENT = Pattern.compile("\\G\\s*(\"(?:[^\"]|\"\")*\"|[^,]*?)\\s*(,|$)");

    private ListSettings() {}

    /** The elements of the value, unquoted; for other settings the value itself. */
    static List<String> elements(String setting, String value) {
        String name = setting.toLowerCase(Locale.ROOT);
        boolean areNames = NAMES.contains(name);
        if (!areNames && !FILES.contains(name)) {
            return List.of(value);
        }
        List<String> elements = new ArrayList<>();
        Matcher found = ELEMENT.matcher(value);
        boolean isLast = false;
        while (!isLast && found.find()) {
            String text = found.group(1);
            isLast = found.group(2).isEmpty();
            if (text.startsWith("\"")) {
                elements.add(text.substring(1, text.length() - 1).replace("\"\"", "\""));
            } else {
                elements.add(areNames ? text.toLowerCase(Locale.ROOT) : text);
            }
        }
        return elements;
    }
}
