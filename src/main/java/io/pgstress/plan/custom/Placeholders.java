package io.pgstress.plan.custom;

import io.pgstress.plan.TableName;
import io.pgstress.text.Quoting;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the placeholders for table names in SQL: {@code ${table}}, {@code ${copy}}, {@code ${table:x}}, {@code ${index:x}},
 * and {@code ${n}} for the number of the client's table.
 *
 * @param number the number of the client's table, from 1
 * @param values the operation's values, as far as they are known
 */
public record Placeholders(TableName table, int number, Map<String, Long> values) {
    static final List<String> RESERVED = List.of("table", "copy", "index", "n");
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
        return PLACE.matcher(sql)
                .results()
                .anyMatch(place ->
                        RESERVED.contains(place.group(1)) && !place.group().equals(NUMBER));
    }

    /**
     * The problems with placeholders in SQL.
     *
     * @param values the names of the values that it may have
     */
    static List<String> problems(String sql, Set<String> values) {
        Placeholders any =
                new Placeholders(ANY, 1, values.stream().collect(Collectors.toMap(name -> name, name -> 0L)));
        return PLACE.matcher(sql)
                .results()
                .filter(place -> any.name(place) == null)
                .map(place -> "unknown name " + place.group()
                        + " (known: ${table}, ${copy}, ${table:SUFFIX}, ${index:SUFFIX}, ${n}"
                        + values.stream().map(name -> ", ${" + name + "}").collect(Collectors.joining()) + ")")
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
                default -> values.containsKey(place.group(1)) ? String.valueOf(values.get(place.group(1))) : null;
            };
        }
        return switch (place.group(1)) {
            case "table" -> new TableName(table.schema(), table.name() + "_" + suffix).quoted();
            case "index" -> Quoting.identifier(table.name() + "_" + suffix);
            default -> null;
        };
    }
}
