package io.pgstress.extra.suggest;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A field to sort by. */
public record SortKey(String path, boolean descending) {
    /** The fields of a sort document; throws {@link Untranslatable} for a sort by score. */
    static List<SortKey> read(@Nullable Object sort) {
        List<SortKey> keys = new ArrayList<>();
        for (Map.Entry<String, Object> each : BsonValues.map(sort).entrySet()) {
            if (!BsonValues.kind(each.getValue()).equals("number")
                    || each.getKey().startsWith("$")) {
                throw new Untranslatable("a sort by something other than fields");
            }
            keys.add(new SortKey(each.getKey(), BsonValues.number(each.getValue()) < 0));
        }
        return List.copyOf(keys);
    }
}
