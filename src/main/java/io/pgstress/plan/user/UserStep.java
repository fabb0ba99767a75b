package io.pgstress.plan.user;

import io.pgstress.plan.NamedSql;
import java.util.Map;

/**
 * One statement of an operation.
 *
 * @param keep what later steps can use of its last row: the name they use, by column
 * @param least fewer rows than that, read or changed, make the operation a miss and end it; 0: never
 */
public record UserStep(String name, NamedSql sql, Map<String, String> keep, long least, Source source) {
    public UserStep {
        keep = Map.copyOf(keep);
    }
}
