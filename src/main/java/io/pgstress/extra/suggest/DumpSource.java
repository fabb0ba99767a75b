package io.pgstress.extra.suggest;

import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.bson.dump.MongoDump;
import io.pgstress.importer.ImportInput;
import java.io.IOException;

/**
 * A dump that is read several times.
 *
 * @param path {@code -} for standard input
 * @param streams opens what can be read only once, as often as it is asked
 */
public record DumpSource(String path, ImportInput.Streams streams) {
    /**
     * Opens what the filter selects.
     *
     * @throws io.pgstress.plan.option.InvalidPlanException if the path does not exist
     */
    MongoDump open(DumpFilter filter) throws IOException {
        return ImportInput.openDump(path, streams, filter);
    }
}
