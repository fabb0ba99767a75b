package io.pgstress.importer.table;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A rule that renames namespaces, {@code FROM=TO}, as mongorestore's {@code --nsFrom} and {@code --nsTo}. Each {@code *} of TO
 * stands for what the {@code *} at the same place of FROM matched, and each {@code $name$} for what that of the same name matched;
 * both match as little as possible. A backslash takes the next character literally.
 */
public final class Renaming {
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
