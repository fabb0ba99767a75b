package io.pgstress.extra.suggest;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields that a query returns.
 *
 * @param only these; empty: all
 * @param without all but these, if {@code only} is empty
 * @param hasExpressions whether it computes fields, which is not translated
 */
public record Projection(List<String> only, List<String> without, boolean hasExpressions) {
    /** The whole document. */
    public static final Projection WHOLE = new Projection(List.of(), List.of(), false);

    public Projection {
        only = List.copyOf(only);
        without = List.copyOf(without);
    }

    static Projection read(@Nullable Object projection) {
        List<String> only = new ArrayList<>();
        List<String> without = new ArrayList<>();
        for (Map.Entry<String, Object> each : BsonValues.map(projection).entrySet()) {
            String kind = BsonValues.kind(each.getValue());
            if ((!kind.equals("number") && !kind.equals("boolean"))
                    || each.getKey().contains("$")) {
                return new Projection(List.of(), List.of(), true);
            }
            (BsonValues.isTrue(each.getValue()) ? only : without).add(each.getKey());
        }
        return new Projection(only, only.isEmpty() ? without : List.of(), false);
    }
}
