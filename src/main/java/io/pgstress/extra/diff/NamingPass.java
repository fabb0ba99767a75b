package io.pgstress.extra.diff;

import io.pgstress.bson.Chunk;
import io.pgstress.bson.dump.DumpCollection;
import java.util.Map;

/** The second pass over the dump, only if something differs: names documents. */
final class NamingPass extends DumpPass {
    private final TableSide tables;

    NamingPass(Map<String, Comparison> comparisons, TableSide tables) {
        super(comparisons);
        this.tables = tables;
    }

    @Override
    public boolean begin(DumpCollection collection) {
        return of(collection).names().needDump();
    }

    @Override
    void take(Comparison comparison, Chunk documents) throws InterruptedException {
        comparison.names().add(documents, tables);
    }
}
