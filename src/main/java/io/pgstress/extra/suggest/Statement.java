package io.pgstress.extra.suggest;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * An operation for an operations file: a statement on a table of a collection's documents.
 *
 * @param name a proposal, made of letters, digits and _; several operations may have the same
 * @param step the name of its step
 * @param note what is not translated exactly; empty: nothing
 * @param changes whether it changes the copy table
 * @param parameters descriptions of the parameters by name, as YAML
 * @param sql the statement, in several lines
 */
record Statement(String name, String step, String note, boolean changes, Map<String, String> parameters, String sql) {
    private static final int MAX_NAME = 48;

    /**
     * The statement of a shape.
     *
     * @throws io.pgstress.extra.Untranslatable if there is none
     */
    static Statement of(Shape shape, Usage usage, DocumentFacts facts) {
        boolean deletes = shape instanceof Shape.Delete;
        Parameters parameters = new Parameters(deletes);
        boolean changes = deletes || shape instanceof Shape.Update || shape instanceof Shape.Insert;
        String sql = new StatementSql(facts, parameters, usage).of(shape);
        return new Statement(name(shape), verb(shape), note(shape), changes, parameters.texts(), sql);
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

    private static String note(Shape shape) {
        if (shape instanceof Shape.Find find && find.projection().hasExpressions()) {
            return "the projection has expressions: the whole document is read";
        }
        return shape instanceof Shape.Update update && update.upserts()
                ? "an upsert: the row always exists, so this is only its update"
                : "";
    }
}
