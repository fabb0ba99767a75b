package io.pgstress.extra.suggest;

import io.pgstress.bson.json.KeyForm;
import io.pgstress.extra.Untranslatable;
import io.pgstress.extra.suggest.Filter.Condition;
import io.pgstress.extra.suggest.Filter.Condition.Plain;
import io.pgstress.extra.suggest.FilterSql.Scope;
import java.util.ArrayList;
import java.util.List;

/** Conditions on the column {@code _id}, and new values for it. */
final class IdSql {
    /** More ids than this are drawn as one array. */
    private static final int MAX_IDS = 16;

    private static final long FIRST_INT = 1_000_000_000L;
    private static final long FIRST = 4_000_000_000_000L;
    /** New ids of insertions of different sizes do not meet within this share of the first id. */
    private static final long APART = 25;

    private final DocumentFacts facts;
    private final Parameters parameters;

    IdSql(DocumentFacts facts, Parameters parameters) {
        this.facts = facts;
        this.parameters = parameters;
    }

    String condition(Condition condition, Scope scope) {
        if (condition instanceof Condition.Range range) {
            return "_id " + (scope.isUpper(range, "_id") ? "<=" : ">=") + " :" + id(scope);
        }
        if (condition instanceof Condition.In in) {
            return in(in, scope);
        }
        if (condition == Plain.EQUAL || condition == Plain.NOT_EQUAL) {
            boolean isEqual = condition == Plain.EQUAL;
            return "_id " + (isEqual ? "=" : "<>") + " :" + id(isEqual ? scope : scope.apart());
        }
        if (condition == Plain.PRESENT || condition == Plain.NOT_NULL) {
            return "true";
        }
        throw new Untranslatable("a condition on the _id other than equality or a range");
    }

    private String in(Condition.In in, Scope scope) {
        if (scope.idOfRow() || in.count() > MAX_IDS) {
            String ids = ":"
                    + parameters.array(path(), false, in.count(), in.negated() ? new Parameters.Row() : scope.row());
            return in.negated() ? "_id <> all(" + ids + ")" : "_id = any(" + ids + ")";
        }
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < in.count(); i++) {
            ids.add(":" + parameters.id());
        }
        return "_id " + (in.negated() ? "not in" : "in") + " (" + String.join(", ", ids) + ")";
    }

    private String id(Scope scope) {
        return scope.idOfRow() ? parameters.text(path(), scope.row()) : parameters.id();
    }

    /** The path of the document at which the text of the column is. */
    private String path() {
        boolean isText = facts.keyForm() == KeyForm.TEXT;
        return switch (facts.keyForm()) {
            case INT, BIGINT, NUMERIC, TEXT -> isText && facts.hasObjectIds() ? "_id.$oid" : "_id";
            case TIMESTAMPTZ -> "_id.$date";
            case UUID, TEXT_OF_JSON ->
                throw new Untranslatable(
                        "the _id is a UUID or of several types, and is needed from the same row as other values");
        };
    }

    /** The parameter with a new number, which is multiplied by {@code count} to number as many documents. */
    String newNumber(int count) {
        long first = facts.keyForm() == KeyForm.INT ? FIRST_INT : FIRST;
        long own = first + Integer.numberOfTrailingZeros(count) * (first / APART);
        return ":" + parameters.sequence("n", own / count) + "::bigint";
    }

    /** A new id made of a number. */
    String column(String number) {
        return switch (facts.keyForm()) {
            case INT -> "(" + number + ")::int";
            case BIGINT, NUMERIC -> number;
            case TIMESTAMPTZ -> "to_timestamp((" + number + ") / 1000.0)";
            case UUID -> "md5((" + number + ")::text)::uuid";
            case TEXT ->
                facts.hasObjectIds() ? "lpad(to_hex(" + number + "), 24, '0')" : "'new ' || (" + number + ")::text";
            case TEXT_OF_JSON -> "to_jsonb('new ' || (" + number + ")::text)::text";
        };
    }

    /** The id as it is in the document. */
    String json(String number) {
        return switch (facts.keyForm()) {
            case INT, BIGINT, NUMERIC -> "to_jsonb(" + number + ")";
            case TIMESTAMPTZ -> "jsonb_build_object('$date', " + iso(column(number)) + ")";
            case UUID ->
                "jsonb_build_object('$binary', jsonb_build_object('base64', encode(decode(md5((" + number
                        + ")::text), 'hex'), 'base64'), 'subType', '04'))";
            case TEXT ->
                facts.hasObjectIds()
                        ? "jsonb_build_object('$oid', " + column(number) + ")"
                        : "to_jsonb(" + column(number) + ")";
            case TEXT_OF_JSON -> "to_jsonb('new ' || (" + number + ")::text)";
        };
    }

    /** A time as relaxed Extended JSON has it. */
    static String iso(String time) {
        return "to_char(" + time + " at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')";
    }
}
