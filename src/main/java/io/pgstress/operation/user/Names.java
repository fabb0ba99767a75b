package io.pgstress.operation.user;

import io.pgstress.plan.InvalidPlanException;
import io.pgstress.plan.TableName;
import io.pgstress.plan.user.Source;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Puts the table's names into SQL: {@code ${table}}, {@code ${copy}}, {@code ${table:x}}, {@code ${index:x}}. */
record Names(TableName table) {
    private static final String COPY = "${copy}";
    private static final Pattern PLACE = Pattern.compile("\\$\\{([a-z]+)(?::([A-Za-z0-9_]+))?}");

    /** Whether SQL names the copy table. */
    static boolean haveCopy(String sql) {
        return sql.contains(COPY);
    }

    /** @throws InvalidPlanException where a name is none of these */
    String in(String sql, Source source) {
        return PLACE.matcher(sql).replaceAll(m -> Matcher.quoteReplacement(name(m, source)));
    }

    private String name(MatchResult place, Source source) {
        String suffix = place.group(2);
        if (suffix == null && place.group(1).equals("table")) {
            return table.quoted();
        }
        if (suffix == null && place.group(1).equals("copy")) {
            return table.copy().quoted();
        }
        if (suffix != null && place.group(1).equals("table")) {
            return new TableName(table.schema(), table.name() + "_" + suffix).quoted();
        }
        if (suffix != null && place.group(1).equals("index")) {
            return TableName.quote(table.name() + "_" + suffix);
        }
        throw new InvalidPlanException(source.tell(
                "unknown name " + place.group() + " (there are ${table}, ${copy}, ${table:SUFFIX}, ${index:SUFFIX})"));
    }
}
