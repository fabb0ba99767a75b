package io.pgstress.plan.custom;

import io.pgstress.plan.TableName;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the placeholders for table names in SQL: {@code ${table}}, {@code ${copy}}, {@code ${table:x}}, {@code ${index:x}}.
 */
public record Names(TableName table) {
    private static final String COPY = "${copy}";
    private static final Pattern PLACE = Pattern.compile("\\$\\{([A-Za-z]+)(?::([A-Za-z0-9_]+))?}");
    private static final TableName ANY = new TableName("", "any");

    /** Whether SQL names the copy table. */
    public static boolean haveCopy(String sql) {
        return sql.contains(COPY);
    }

    /** Whether SQL names the table under load, or another one derived from its name. */
    static boolean areIn(String sql) {
        return PLACE.matcher(sql).find();
    }

    /** The problems with placeholders in SQL. */
    static List<String> problems(String sql) {
        Names any = new Names(ANY);
        return PLACE.matcher(sql)
                .results()
                .filter(place -> any.name(place) == null)
                .map(place -> "unknown name " + place.group()
                        + " (known: ${table}, ${copy}, ${table:SUFFIX}, ${index:SUFFIX})")
                .toList();
    }

    /** SQL with the placeholders replaced. Unknown ones, which the file's reader has already rejected, are left unchanged. */
    public String in(String sql) {
        return PLACE.matcher(sql).replaceAll(place -> {
            String name = name(place);
            return Matcher.quoteReplacement(name == null ? place.group() : name);
        });
    }

    private @Nullable String name(MatchResult place) {
        String suffix = place.group(2);
        if (suffix == null) {
            return switch (place.group(1)) {
                case "table" -> table.quoted();
                case "copy" -> table.copy().quoted();
                default -> null;
            };
        }
        return switch (place.group(1)) {
            case "table" -> new TableName(table.schema(), table.name() + "_" + suffix).quoted();
            case "index" -> TableName.quote(table.name() + "_" + suffix);
            default -> null;
        };
    }
}
