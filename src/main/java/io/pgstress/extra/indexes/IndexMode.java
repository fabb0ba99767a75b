package io.pgstress.extra.indexes;

import io.pgstress.importer.IndexStep;
import org.jspecify.annotations.Nullable;

/** What an import does about the indexes of a dump. */
public enum IndexMode {
    /** It does not look at them. */
    NONE,
    /** It shows what it would create. */
    REPORT,
    /** It creates them after the rows. */
    CREATE;

    /** What an import does; null for nothing. */
    public IndexStep.@Nullable Source step() {
        return this == NONE
                ? null
                : (connector, connection, dialect, canonical) ->
                        new TableIndexes(connector, connection, dialect, this == CREATE, canonical);
    }
}
