package io.pgstress.bson.dump;

import io.pgstress.bson.BsonException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The names in a {@code .metadata.json}; empty if missing, as in older dumps.
 *
 * @param options the names of the collection's options
 * @param type "view", "timeseries", or empty
 * @param json the whole text
 */
record Metadata(String collectionName, String uuid, String type, List<String> options, String json) {
    static final Metadata NONE = new Metadata("", "", "", List.of(), "");

    /** Reads the strings of the top-level object. Of invalid JSON it uses the part before the fault. */
    static Metadata of(byte[] json) {
        return of(new String(json, StandardCharsets.UTF_8));
    }

    static Metadata of(String json) {
        TopLevelStrings strings = new TopLevelStrings(json);
        String type = strings.get("type");
        boolean view = type.isEmpty() && strings.has("viewOn");
        return new Metadata(
                strings.get("collectionName"), strings.get("uuid"), view ? "view" : type, strings.options(), json);
    }

    /** The string values of a JSON object, and the keys of it and of its "options". */
    static final class TopLevelStrings {
        private static final String ESCAPED = "bfnrt";
        private static final String CHARACTERS = "\b\f\n\r\t";

        private final Map<String, String> values = new HashMap<>();
        private final Set<String> keys = new HashSet<>();
        private final List<String> options = new ArrayList<>();
        /** The top-level key whose value is being read. */
        private String section = "";

        private final String json;
        private int at;

        TopLevelStrings(String json) {
            this.json = json;
            scan();
        }

        /** The string of this key; empty if there is none. */
        String get(String key) {
            return values.getOrDefault(key, "");
        }

        /** Whether the object, or one a level below, has the key. */
        boolean has(String key) {
            return keys.contains(key);
        }

        /** The keys of the object "options", without the collection's own UUID. */
        List<String> options() {
            return options.stream().filter(key -> !key.equals("uuid")).toList();
        }

        private void seeKey(String key, int depth) {
            if (depth <= 2) {
                keys.add(key);
            }
            if (depth == 1) {
                section = key;
            } else if (depth == 2 && section.equals("options")) {
                options.add(key);
            }
        }

        private void scan() {
            int depth = 0;
            String key = "";
            while (at < json.length()) {
                char c = json.charAt(at++);
                if (c == '{' || c == '[') {
                    depth++;
                    key = "";
                } else if (c == '}' || c == ']') {
                    depth--;
                    key = "";
                } else if (c == ',') {
                    key = "";
                } else if (c == '"') {
                    String string = string();
                    if (key.isEmpty() && followsColon()) {
                        key = string;
                        seeKey(string, depth);
                    } else if (depth == 1 && !key.isEmpty()) {
                        values.put(key, string);
                    }
                }
            }
        }

        private boolean followsColon() {
            int next = at;
            while (next < json.length() && Character.isWhitespace(json.charAt(next))) {
                next++;
            }
            return next < json.length() && json.charAt(next) == ':';
        }

        private String string() {
            StringBuilder text = new StringBuilder();
            while (at < json.length()) {
                char c = json.charAt(at++);
                if (c == '"') {
                    break;
                }
                text.append(c == '\\' && at < json.length() ? escape() : c);
            }
            return text.toString();
        }

        private char escape() {
            char c = json.charAt(at++);
            if (c == 'u' && at + 4 <= json.length()) {
                at += 4;
                try {
                    return (char) Integer.parseInt(json, at - 4, at, 16);
                } catch (NumberFormatException e) {
                    return '\ufffd';
                }
            }
            int index = ESCAPED.indexOf(c);
            return index < 0 ? c : CHARACTERS.charAt(index);
        }
    }

    /** The metadata of a file of documents; {@link Metadata#NONE} if there are none. */
    static Metadata beside(Path documents) throws IOException {
        for (Path metadata : candidates(documents)) {
            if (Files.isRegularFile(metadata)) {
                return read(metadata);
            }
        }
        return Metadata.NONE;
    }

    /** Whether there are metadata beside the file of documents, which itself may be missing. */
    static boolean existBeside(Path documents) {
        return candidates(documents).stream().anyMatch(Files::isRegularFile);
    }

    private static List<Path> candidates(Path documents) {
        String name = FileNames.base(documents) + FileNames.METADATA;
        return FileNames.COMPRESSIONS.stream()
                .map(suffix -> documents.resolveSibling(name + suffix))
                .toList();
    }

    static Metadata read(Path path) throws IOException {
        try (DumpInput input = DumpInput.open(path)) {
            return Metadata.of(input.readAll());
        } catch (BsonException e) {
            throw e;
        } catch (IOException e) {
            throw new BsonException(path.toString(), -1, "readable metadata", String.valueOf(e.getMessage()), e);
        }
    }
}
