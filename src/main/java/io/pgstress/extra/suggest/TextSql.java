package io.pgstress.extra.suggest;

/** Simple regular expressions as comparisons with a part of a drawn text. */
final class TextSql {
    private TextSql() {}

    /**
     * The condition.
     *
     * @param text the text in SQL
     * @param value the parameter, a text of the same path
     */
    static String of(Condition.Text condition, String text, String value) {
        String searched = condition.anyCase() ? "lower(" + text + ")" : text;
        String whole = value + "::text";
        int length = condition.length();
        return switch (condition.part()) {
            case BEGINNING ->
                "left(" + searched + ", " + length + ") = " + cased(condition, "left(" + whole + ", " + length + ")");
            case ANYWHERE ->
                "strpos(" + searched + ", " + cased(condition, "right(" + whole + ", " + length + ")") + ") > 0";
            case WHOLE -> searched + " = " + cased(condition, whole);
        };
    }

    private static String cased(Condition.Text condition, String value) {
        return condition.anyCase() ? "lower(" + value + ")" : value;
    }
}
