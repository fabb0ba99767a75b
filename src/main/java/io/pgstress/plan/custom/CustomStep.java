package io.pgstress.plan.custom;

import io.pgstress.plan.sql.NamedSql;
import java.util.Map;

/**
 * One statement of an operation.
 *
 * @param keep columns of its last row that later steps use, and the name they use for each
 * @param least if it reads or changes fewer rows, the operation ends as a miss; 0: never
 */
public record CustomStep(String name, NamedSql sql, Map<String, String> keep, long least, Source source) {
    public CustomStep {
        keep = Map.copyOf(keep);
    }
}
