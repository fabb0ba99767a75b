package io.pgstress.extra.diff;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row that differs from its document.
 *
 * @param id the {@code _id} as the table has it
 * @param paths the first paths that differ
 * @param more whether more paths differ
 * @param note why no path is named; null if one is
 */
public record DifferentRow(
        String id,
        List<PathDifference> paths,
        boolean more,
        @Nullable String note) {
    public DifferentRow {
        paths = List.copyOf(paths);
    }
}
