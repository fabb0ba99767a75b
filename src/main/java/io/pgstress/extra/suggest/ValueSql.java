package io.pgstress.extra.suggest;

import io.pgstress.extra.suggest.Condition.Plain;

/** Conditions on one value, whatever arrays it is in. */
final class ValueSql {
    private static final String DATE = ".$date";

    private final Parameters parameters;

    ValueSql(Parameters parameters) {
        this.parameters = parameters;
    }

    /** The condition. */
    String of(Filter.Field field, FieldPath path, Scope scope) {
        String json = path.json(scope.base());
        Condition condition = field.condition();
        if (condition instanceof Condition.Range range) {
            boolean isUpper = !range.from() || (range.to() && scope.down().contains(field.path()));
            return path.comparable(scope.base()) + (isUpper ? " <= " : " >= ") + comparable(path, scope);
        }
        if (condition instanceof Condition.In in) {
            return in(in, path, in.negated() ? scope.apart() : scope);
        }
        if (condition instanceof Condition.Contains contains) {
            return contains(contains.count(), path, scope);
        }
        if (condition instanceof Condition.Text text) {
            return TextSql.of(
                    text, path.text(scope.base()), ":" + parameters.text(path.valuePath(scope.drawn()), scope.row()));
        }
        return switch ((Plain) condition) {
            case EQUAL -> path.comparable(scope.base()) + " = " + comparable(path, scope);
            case NOT_EQUAL -> json + " is distinct from " + drawn(path, scope.apart());
            case NULL -> "(" + json + " is null or " + json + " = 'null')";
            case NOT_NULL -> json + " <> 'null'";
            case PRESENT -> json + " is not null";
            case ABSENT -> json + " is null";
            case LENGTH -> {
                String value = ":" + parameters.json(path.wholePath(scope.drawn()), scope.row()) + "::jsonb";
                yield length(json) + " = " + length(value);
            }
        };
    }

    private String in(Condition.In in, FieldPath path, Scope scope) {
        String from = path.valuePath(scope.drawn()) + (path.isDate() ? DATE : "");
        String values = ":" + parameters.array(from, !path.isDate(), in.count(), scope.row());
        String all = path.isDate() ? "array(select rtrim(v, 'Z') from unnest(" + values + "::text[]) v)" : values;
        String test = path.comparable(scope.base()) + " = any(" + all + ")";
        return in.negated() ? "(" + test + ") is not true" : test;
    }

    private String contains(int count, FieldPath path, Scope scope) {
        StringBuilder values = new StringBuilder();
        for (int i = 0; i < count; i++) {
            String value = parameters.json(path.wholePath(scope.drawn()) + "." + i, scope.row());
            values.append(i == 0 ? ":" : ", :").append(value).append("::jsonb");
        }
        return path.json(scope.base()) + " @> jsonb_build_array(" + values + ")";
    }

    private static String length(String json) {
        return "jsonb_array_length(case when jsonb_typeof(" + json + ") = 'array' then " + json + " end)";
    }

    /** A drawn value in the form of {@link FieldPath#comparable}. */
    private String comparable(FieldPath path, Scope scope) {
        return path.isDate()
                ? "rtrim(:" + parameters.text(path.valuePath(scope.drawn()) + DATE, scope.row()) + "::text, 'Z')"
                : drawn(path, scope);
    }

    /** A drawn value as jsonb. */
    String drawn(FieldPath path, Scope scope) {
        return ":" + parameters.json(path.valuePath(scope.drawn()), scope.row());
    }
}
