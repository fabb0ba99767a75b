package io.pgstress.bson.dump;

import io.pgstress.bson.timeseries.TimeSeries;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A collection of a dump.
 *
 * @param database its database; empty for a stream of bare documents and for the oplog
 * @param collection its name, unescaped and in full
 * @param uuid its UUID in the metadata, 32 hex digits; empty if unknown
 * @param timeSeries the fields of a time series whose buckets are read as measurements; null: documents are read as they are
 * @param label the file that it is read from, for messages
 * @param options the names of the options in its metadata, such as {@code capped} and {@code validator}
 * @param metadata the text of its {@code .metadata.json}, which may be invalid; empty if there is none
 * @param bytes the size of its file, or of its documents according to an archive's prelude; -1 if unknown
 */
public record DumpCollection(
        String database,
        String collection,
        String uuid,
        List<String> options,
        String metadata,
        @Nullable TimeSeries timeSeries,
        String label,
        long bytes) {
    public DumpCollection {
        options = List.copyOf(options);
    }

    /** A collection without metadata. */
    public DumpCollection(String database, String collection, String uuid, String label, long bytes) {
        this(database, collection, uuid, List.of(), "", null, label, bytes);
    }

    /** Whether its documents are the buckets of a time series as they are. */
    public boolean isBuckets() {
        return timeSeries == null && collection.startsWith(DumpFilter.BUCKETS);
    }

    /** {@code database.collection}. */
    public String namespace() {
        return database.isEmpty() ? collection : database + "." + collection;
    }
}
