package io.pgstress.importer.table;

import io.pgstress.importer.table.Naming.NamePart;
import io.pgstress.importer.table.Naming.Namespace;
import io.pgstress.plan.TableName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How tables are named.
 *
 * @param renamings rules for namespaces; the last one that matches applies
 * @param schema the schema of all tables; an empty string for the schemas of their databases
 * @param table the only table; null to name it like its collection
 */
public record Naming(
        List<Renaming> renamings, String schema, @Nullable TableName table) {
    /** The names as they are in the dump. */
    public static final Naming AS_DUMPED = new Naming(List.of(), "", null);

    public Naming {
        renamings = List.copyOf(renamings);
    }

    /** The namespace after renaming. */
    public Namespace of(String database, String collection) {
        Namespace name = new Namespace(database, collection);
        for (int i = renamings.size() - 1; i >= 0; i--) {
            Optional<Namespace> renamed = renamings.get(i).apply(name);
            if (renamed.isPresent()) {
                return renamed.get();
            }
        }
        return name;
    }

    /** The rules that match none of these namespaces. */
    public List<Renaming> unused(List<Namespace> names) {
        return renamings.stream()
                .filter(each -> names.stream().allMatch(name -> each.apply(name).isEmpty()))
                .toList();
    }

    /**
     * Checks the name of a schema, and returns it.
     *
     * @throws IllegalArgumentException if PostgreSQL reserves it
     */
    public static String schemaName(String name) {
        if (name.isEmpty() || name.startsWith("pg_") || name.equals("information_schema")) {
            throw new IllegalArgumentException(
                    name.isEmpty() ? "must not be empty" : "PostgreSQL reserves this name, was '" + name + "'");
        }
        return name;
    }

    /**
     * A piece of a pattern of names.
     *
     * @param text the characters, or the name of the variable; {@code *1} for the first {@code *}, and so on
     * @param variable whether it stands for any characters
     */
    record NamePart(String text, boolean variable) {
        /** Splits a pattern. A backslash takes the next character literally. */
        static List<NamePart> of(String pattern) {
            List<NamePart> parts = new ArrayList<>();
            int stars = 0;
            for (int i = 0; i < pattern.length(); i++) {
                char c = pattern.charAt(i);
                if (c == '*') {
                    parts.add(new NamePart("*" + ++stars, true));
                } else if (c == '$') {
                    int end = pattern.indexOf('$', i + 1);
                    if (end < i + 2) {
                        throw new IllegalArgumentException(
                                "a variable needs a name between two $ (\\$ is a dollar sign): '" + pattern + "'");
                    }
                    parts.add(new NamePart(pattern.substring(i + 1, end), true));
                    i = end;
                } else {
                    i += c == '\\' && i + 1 < pattern.length() ? 1 : 0;
                    parts.add(new NamePart(String.valueOf(pattern.charAt(i)), false));
                }
            }
            return parts;
        }

        boolean isStar() {
            return variable && text.startsWith("*");
        }
    }

    /**
     * The name of a collection with its database.
     *
     * @param database the database; may be empty
     * @param collection the collection, which may contain dots
     */
    public record Namespace(String database, String collection) {
        /** Splits a text at its first dot; without one, it is all the database. */
        public static Namespace of(String text) {
            int dot = text.indexOf('.');
            return dot < 0 ? new Namespace(text, "") : new Namespace(text.substring(0, dot), text.substring(dot + 1));
        }

        @Override
        public String toString() {
            return collection.isEmpty() ? database : database + "." + collection;
        }
    }

    /**
     * A rule that renames namespaces, {@code FROM=TO}, as mongorestore's {@code --nsFrom} and {@code --nsTo}. Each {@code *} of TO
     * stands for what the {@code *} at the same place of FROM matched, and each {@code $name$} for what that of the same name matched;
     * both match as little as possible. A backslash takes the next character literally.
     */
    public static final class Renaming {
        private final String text;
        private final List<NamePart> from;
        private final List<NamePart> to;
        private final Pattern pattern;

        private Renaming(String text, List<NamePart> from, List<NamePart> to) {
            this.text = text;
            this.from = from;
            this.to = to;
            String regex = from.stream()
                    .map(part -> part.variable() ? "(.*?)" : Pattern.quote(part.text()))
                    .collect(Collectors.joining());
            pattern = Pattern.compile(regex, Pattern.DOTALL);
        }

        /**
         * Reads {@code FROM=TO}.
         *
         * @throws IllegalArgumentException if it is not a rule
         */
        public static Renaming parse(String text) {
            int equals = separator(text);
            String from = equals < 0 ? "" : text.substring(0, equals);
            String to = text.substring(equals + 1);
            if (!from.contains(".") || !to.contains(".")) {
                throw new IllegalArgumentException(
                        "must be FROM=TO, both of the form DATABASE.COLLECTION, was '" + text + "'");
            }
            Renaming renaming = new Renaming(text, NamePart.of(from), NamePart.of(to));
            String fault = renaming.fault();
            if (!fault.isEmpty()) {
                throw new IllegalArgumentException(fault + ", was '" + text + "'");
            }
            return renaming;
        }

        /** The index of the first equals sign that no backslash precedes; -1 if there is none. */
        private static int separator(String text) {
            for (int i = 0; i < text.length(); i++) {
                if (text.charAt(i) == '=') {
                    return i;
                }
                i += text.charAt(i) == '\\' ? 1 : 0;
            }
            return -1;
        }

        private String fault() {
            if (from.stream().filter(NamePart::isStar).count()
                    != to.stream().filter(NamePart::isStar).count()) {
                return "FROM and TO must have equally many *";
            }
            Set<String> known = new HashSet<>();
            for (NamePart part : from) {
                if (part.variable() && !known.add(part.text())) {
                    return "FROM can use $" + part.text() + "$ only once";
                }
            }
            for (NamePart part : to) {
                if (part.variable() && !known.contains(part.text())) {
                    return "FROM must have the $" + part.text() + "$ that TO uses";
                }
            }
            return "";
        }

        /** The new name; empty if the rule does not match. Its database or collection may be an empty string. */
        Optional<Namespace> apply(Namespace name) {
            Matcher matcher = pattern.matcher(name.toString());
            if (!matcher.matches()) {
                return Optional.empty();
            }
            List<String> variables =
                    from.stream().filter(NamePart::variable).map(NamePart::text).toList();
            String renamed = to.stream()
                    .map(part -> part.variable() ? matcher.group(variables.indexOf(part.text()) + 1) : part.text())
                    .collect(Collectors.joining());
            return Optional.of(Namespace.of(renamed));
        }

        /** As the user wrote it. */
        @Override
        public String toString() {
            return text;
        }
    }
}
