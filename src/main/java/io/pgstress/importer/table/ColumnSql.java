package io.pgstress.importer.table;

import io.pgstress.bson.copy.FieldPath;
import io.pgstress.plan.sql.Quoting;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A column's value as an expression over {@code data}: immutable, as generated columns need it, and without an error for
 * whatever {@code data} contains. Values that do not fit are null. It has the value that {@link ColumnReader} finds in the
 * document, in relaxed and in canonical Extended JSON. Parts that might fail are in nested CASEs, because AND does not
 * determine the order of evaluation.
 */
final class ColumnSql {
    /** The text of a finite number in a wrapper of Extended JSON. */
    private static final String NUMBER = "'^-?[0-9]+([.][0-9]+)?(E[-+]?[0-9]{1,4})?$'";

    /** An instant from 1970 to 9999 as relaxed JSON writes it. */
    private static final String INSTANT = "'^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{3})?Z$'";

    /** The range of timestamptz in milliseconds since 1970; see {@link io.pgstress.bson.json.Timestamps}. */
    private static final String MILLIS_RANGE = "between -210866803200000 and 9224318015999999";

    private final FieldPath path;

    private ColumnSql(FieldPath path) {
        this.path = path;
    }

    /** The value of a column. */
    static String of(ColumnSpec spec) {
        ColumnSql sql = new ColumnSql(spec.path());
        return switch (spec.type()) {
            case TEXT -> sql.ofType("string", sql.text()) + sql.orElse(sql.any("$oid", "$symbol"));
            case INT -> sql.whole("integer", "between -2147483648 and 2147483647");
            case BIGINT -> sql.whole("bigint", "between -9223372036854775808 and 9223372036854775807");
            case DOUBLE -> sql.doublePrecision();
            case NUMERIC ->
                sql.ofType("number", sql.number())
                        + sql.orElse(when(sql.wrapped() + " ~ " + NUMBER, sql.wrapped() + "::numeric"));
            case BOOLEAN -> sql.ofType("boolean", sql.text() + "::boolean") + " end";
            case TIMESTAMPTZ -> "(" + sql.timestamp() + ") at time zone 'UTC'";
            case DATE -> "(" + sql.timestamp() + ")::date";
            case UUID -> sql.uuid();
            case JSONB -> "nullif(" + sql.json() + ", 'null')";
        };
    }

    private String doublePrecision() {
        String wrapped = wrapped();
        return ofType("number", inRange(number(), number() + "::double precision"))
                + " when 'object' then case when " + wrapped + " in ('NaN', 'Infinity', '-Infinity') then " + wrapped
                + "::double precision when " + wrapped + " ~ " + NUMBER + " then "
                + inRange(wrapped + "::numeric", wrapped + "::double precision") + " end end";
    }

    /** The value if double precision holds the number; otherwise a cast would fail. */
    private static String inRange(String number, String value) {
        return when("abs(" + number + ") between 4.9E-324 and 1.7976931348623157E+308 or " + number + " = 0", value);
    }

    private String whole(String type, String range) {
        return ofType("number", whole(number(), type, range))
                + orElse(when(wrapped() + " ~ " + NUMBER, whole(wrapped() + "::numeric", type, range)));
    }

    private static String whole(String number, String type, String range) {
        return when(number + " " + range, when(number + " = trunc(" + number + ")", number + "::" + type));
    }

    private String number() {
        return json() + "::numeric";
    }

    /** A timestamp without time zone, in UTC. Text is not cast, because such a cast is not immutable. */
    private String timestamp() {
        String iso = text("$date");
        String millis = text("$date", "$numberLong");
        String parts = Stream.of(
                        "years => substr(%s, 1, 4)::int - 1970",
                        "months => substr(%s, 6, 2)::int - 1",
                        "days => substr(%s, 9, 2)::int - 1",
                        "hours => substr(%s, 12, 2)::int",
                        "mins => substr(%s, 15, 2)::int",
                        "secs => rtrim(substr(%s, 18), 'Z')::double precision")
                .map(part -> part.replace("%s", iso))
                .collect(Collectors.joining(", "));
        String epoch = "timestamp '1970-01-01 00:00:00'";
        String number = millis + "::bigint";
        return "case when " + iso + " ~ " + INSTANT + " then " + epoch + " + make_interval(" + parts + ") when "
                + millis
                + " ~ '^-?[0-9]{1,18}$' then "
                + when(
                        number + " " + MILLIS_RANGE,
                        epoch + " + (" + number + " / 86400000) * interval '1 day' + (" + number
                                + " % 86400000) * interval '1 millisecond'")
                + " end";
    }

    private String uuid() {
        String base64 = text("$binary", "base64");
        return when(
                text("$binary", "subType") + " = '04'",
                when(
                        base64 + " ~ '^[A-Za-z0-9+/]{21}[AQgw]==$'",
                        "encode(decode(" + base64 + ", 'base64'), 'hex')::uuid"));
    }

    private static String when(String condition, String value) {
        return "case when " + condition + " then " + value + " end";
    }

    private String ofType(String type, String value) {
        return "case jsonb_typeof(" + json() + ") when '" + type + "' then " + value;
    }

    private String orElse(String ofObject) {
        return " when 'object' then " + ofObject + " end";
    }

    /** The text of a number's wrapper. */
    private String wrapped() {
        return any("$numberDecimal", "$numberDouble", "$numberLong", "$numberInt");
    }

    private String any(String... wrappers) {
        return "coalesce(" + Stream.of(wrappers).map(this::text).collect(Collectors.joining(", ")) + ")";
    }

    private String json() {
        return "(data #> " + literal(path.names()) + ")";
    }

    private String text(String... more) {
        List<String> names = new ArrayList<>(path.names());
        names.addAll(List.of(more));
        return "(data #>> " + literal(names) + ")";
    }

    private static String literal(List<String> names) {
        return Quoting.literal(names.stream().map(Quoting::element).collect(Collectors.joining(",", "{", "}")));
    }
}
