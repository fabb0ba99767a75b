package io.pgstress.extra.diff;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.Chunk;
import io.pgstress.bson.dump.DumpCollection;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/** The first pass over the dump: hashes the documents while the tables are read. */
final class ComparingPass extends DumpPass {
    private final TableSide tables;
    private final PairMemory memory = PairMemory.ofHeap();
    private final LongConsumer progress;
    private long documents;

    /** @param progress receives the number of documents read so far */
    ComparingPass(Map<String, Comparison> comparisons, TableSide tables, LongConsumer progress) {
        super(comparisons);
        this.tables = tables;
        this.progress = progress;
    }

    @Override
    public boolean begin(DumpCollection collection) {
        Comparison comparison = of(collection);
        if (comparison.hasFailed()) {
            return false;
        }
        comparison.begin(tables, memory);
        return true;
    }

    @Override
    void take(Comparison comparison, Chunk documentsRead) {
        comparison.add(documentsRead);
        documents += documentsRead.count();
        progress.accept(documents);
    }

    @Override
    public void end(DumpCollection collection, long count) throws IOException, InterruptedException {
        of(collection).match(tables);
    }

    @Override
    public void failed(DumpCollection collection, long count, BsonException fault)
            throws IOException, InterruptedException {
        of(collection)
                .failed((count == 0 ? "nothing was compared: " : "the rest was not compared: ") + fault.getMessage());
        of(collection).match(tables);
    }

    @Override
    public void wrongChecksum(DumpCollection collection, long count, BsonException fault)
            throws IOException, InterruptedException {
        of(collection).failed("all documents were compared, but may be damaged: " + fault.getMessage());
        of(collection).match(tables);
    }

    @Override
    public void refused(DumpCollection collection, Chunk buckets, int bucket, long ordinal, BsonException why) {
        of(collection).failed("a bucket was not compared: " + why.getMessage());
    }

    @Override
    public void unreadable(DumpCollection collection, BsonException fault) {
        of(collection).failed("nothing was compared: " + fault.getMessage());
    }

    @Override
    public void dumpFailed(List<DumpCollection> collections, BsonException fault) {
        collections.forEach(each -> of(each).cut(String.valueOf(fault.getMessage())));
    }
}
