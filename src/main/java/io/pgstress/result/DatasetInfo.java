package io.pgstress.result;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The table under load.
 *
 * @param rowsAfter -1 if the server did not answer after the run
 * @param distinctIds number of different ids; less than the rows if rows have none or repeat one
 * @param idsDrawnFrom number of ids that can be drawn; less than the distinct ids if they are a sample
 * @param copyRows the most of these that the copy table held at a time, which are all that could be drawn then; null if it held all, or none
 *     was used
 * @param afterwards results of the checks of written tables after the run; reasons and warnings among them are also those of the result
 */
public record DatasetInfo(
        String table,
        String keyType,
        long rowsBefore,
        long rowsAfter,
        @Nullable Long bytes,
        long distinctIds,
        long idsDrawnFrom,
        @Nullable Long copyRows,
        List<Remark> afterwards) {
    public DatasetInfo {
        afterwards = Objects.requireNonNullElse(afterwards, List.of());
    }
}
