package io.pgstress.plan.custom;

import io.pgstress.plan.sql.NamedSql;
import java.util.Map;

/**
 * One statement of an operation.
 *
 * @param keep what later steps can use of its last row: the name they use, by column
 * @param least fewer rows than that, read or changed, make the operation a miss and end it; 0: never
 */
public record CustomStep(String name, NamedSql sql, Map<String, String> keep, long least, Source source) {
    public CustomStep {
        keep = Map.copyOf(keep);
    }
}
