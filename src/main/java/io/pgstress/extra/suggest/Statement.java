package io.pgstress.extra.suggest;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * An operation for an operations file: a statement on a table of a collection's documents.
 *
 * @param name a proposal, made of letters, digits and _; several operations may have the same
 * @param step the name of its step
 * @param notes what is not translated exactly
 * @param changes whether it changes the copy table
 * @param parameters descriptions of the parameters by name, as YAML
 * @param sql the statement, in several lines
 */
record Statement(
        String name, String step, List<String> notes, boolean changes, Map<String, String> parameters, String sql) {
    private static final int MAX_NAME = 48;

    /**
     * The statement of a shape.
     *
     * @param contains whether conditions ask if the document contains a value, where they can
     * @throws io.pgstress.extra.Untranslatable if there is none
     */
    static Statement of(Shape shape, Usage usage, DocumentFacts facts, boolean contains) {
        boolean deletes = shape instanceof Shape.Delete;
        Parameters parameters = new Parameters(deletes);
        boolean changes = deletes || shape instanceof Shape.Update || shape instanceof Shape.Insert;
        String sql = new StatementSql(facts, parameters, usage, contains).of(shape);
        return new Statement(name(shape), verb(shape), notes(shape, facts), changes, parameters.texts(), sql);
    }

    private static String verb(Shape shape) {
        return shape.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }

    private static String name(Shape shape) {
        StringBuilder name = new StringBuilder(verb(shape));
        if (shape instanceof Shape.Insert) {
            return name.append("_documents").toString();
        }
        if (shape instanceof Shape.Distinct distinct) {
            name.append('_').append(Parameters.name(distinct.path()));
        }
        String by = names(shape.filter());
        if (shape instanceof Shape.Group group) {
            by = group.keys().stream().map(Parameters::name).collect(Collectors.joining("_"))
                    + (by.isEmpty() ? "" : "_of_" + by);
        }
        name.append(by.isEmpty() ? "_all" : "_by_" + by);
        if (shape instanceof Shape.Find find && !find.sort().isEmpty()) {
            name.append("_sorted");
        }
        return name.length() > MAX_NAME ? name.substring(0, MAX_NAME) : name.toString();
    }

    private static String names(Filter filter) {
        return filter.paths().stream()
                .map(path -> path.equals("_id") ? "id" : Parameters.name(path))
                .distinct()
                .collect(Collectors.joining("_"));
    }

    private static List<String> notes(Shape shape, DocumentFacts facts) {
        List<String> notes = new ArrayList<>();
        if (shape instanceof Shape.Find find && find.projection().hasExpressions()) {
            notes.add("the projection has expressions: the whole document is read");
        }
        if (shape instanceof Shape.Update update && update.upserts()) {
            notes.add("an upsert: the row always exists, so this is only its update");
        }
        Set<String> ordered = new LinkedHashSet<>(shape.filter().ranges());
        shape.sort().forEach(key -> ordered.add(key.path()));
        ordered.remove("_id"); // a column, whose order is that of its type
        for (String path : ordered) {
            String unordered = facts.field(path).unordered(false);
            if (!unordered.isEmpty()) {
                notes.add("not in MongoDB's order by " + Redaction.clean(path) + ": " + unordered);
            }
        }
        return notes;
    }
}
