package io.pgstress.plan.custom;

import io.pgstress.plan.TableName;
import io.pgstress.plan.sql.Quoting;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the placeholders for table names in SQL: {@code ${table}}, {@code ${copy}}, {@code ${table:x}}, {@code ${index:x}},
 * and {@code ${n}} for the number of the client's table.
 *
 * @param number the number of the client's table, from 1
 */
public record Names(TableName table, int number) {
    private static final String NUMBER = "${n}";
    private static final String COPY = "${copy}";
    private static final Pattern PLACE = Pattern.compile("\\$\\{([A-Za-z]+)(?::([A-Za-z0-9_]+))?}");
    private static final TableName ANY = new TableName("", "any");

    /** Whether SQL names the copy table. */
    public static boolean haveCopy(String sql) {
        return sql.contains(COPY);
    }

    /** Whether SQL has the number of the client's table. */
    static boolean haveNumber(String sql) {
        return sql.contains(NUMBER);
    }

    /** Whether SQL names the table under load, or another one derived from its name. */
    static boolean areIn(String sql) {
        return PLACE.matcher(sql).results().anyMatch(place -> !place.group().equals(NUMBER));
    }

    /** The problems with placeholders in SQL. */
    static List<String> problems(String sql) {
        Names any = new Names(ANY, 1);
        return PLACE.matcher(sql)
                .results()
                .filter(place -> any.name(place) == null)
                .map(place -> "unknown name " + place.group()
                        + " (known: ${table}, ${copy}, ${table:SUFFIX}, ${index:SUFFIX}, ${n})")
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
                case "n" -> Integer.toString(number);
                default -> null;
            };
        }
        return switch (place.group(1)) {
            case "table" -> new TableName(table.schema(), table.name() + "_" + suffix).quoted();
            case "index" -> Quoting.identifier(table.name() + "_" + suffix);
            default -> null;
        };
    }
}
