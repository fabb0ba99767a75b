package io.pgstress.extra.oplog;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.Chunk;
import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.bson.dump.DumpVisitor;
import java.io.IOException;

/**
 * Reads an oplog and passes its operations on, in order. The same input always gives the same operations, so their number
 * identifies how far a replay has come. Used by one thread.
 */
public final class OplogReader implements DumpVisitor {
    /** Receives operations. */
    public interface Consumer {
        /** Receives the next operation. */
        void accept(Operation operation) throws IOException, InterruptedException;
    }

    private static final int CHUNK = 1 << 20;

    private final DumpCollection oplog;
    private final long limit;
    private final Consumer consumer;
    private final Transactions transactions = new Transactions();
    private Chunk chunk = new Chunk(CHUNK);
    private long entries;
    private long noChange;
    private long lastTime;
    private boolean begun;
    private boolean ended;

    /**
     * @param oplog the collection to read; others are passed over
     * @param limit only entries before this time are read; 0 for all
     */
    public OplogReader(DumpCollection oplog, long limit, Consumer consumer) {
        this.oplog = oplog;
        this.limit = limit;
        this.consumer = consumer;
    }

    @Override
    public boolean begin(DumpCollection collection) {
        boolean wanted = collection.namespace().equals(oplog.namespace());
        begun |= wanted;
        return wanted;
    }

    @Override
    public Chunk empty() {
        return chunk;
    }

    @Override
    public void chunk(DumpCollection collection, Chunk documents) throws IOException, InterruptedException {
        for (int i = 0; i < documents.count() && !ended; i++) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            entry(OplogEntry.of(documents, i));
        }
        chunk = documents;
    }

    private void entry(OplogEntry entry) throws IOException, InterruptedException {
        Fields fields;
        try {
            fields = entry.fields();
        } catch (EntryException e) {
            entries++;
            consumer.accept(Operation.unreadable(entry, e));
            return;
        }
        long time = OplogEntry.time(fields);
        if (limit != 0 && Long.compareUnsigned(time, limit) >= 0) {
            ended = true;
            return;
        }
        entries++;
        lastTime = time;
        Field op = fields.find("op");
        noChange += op != null && isNoChange(op) ? 1 : 0;
        for (Operation each : transactions.operations(entry, fields)) {
            consumer.accept(each);
        }
    }

    private static boolean isNoChange(Field op) {
        try {
            return Transactions.isNoChange(op.string());
        } catch (EntryException e) {
            return false;
        }
    }

    @Override
    public void end(DumpCollection collection, long count) {}

    @Override
    public void failed(DumpCollection collection, long count, BsonException fault) throws IOException {
        throw fault;
    }

    @Override
    public void unused(Chunk unused) {
        chunk = unused;
    }

    /** Whether the input has the oplog. */
    public boolean hasBegun() {
        return begun;
    }

    /** The number of entries read. */
    public long entries() {
        return entries;
    }

    /** The number of entries read that change no document. */
    public long noChange() {
        return noChange;
    }

    /** The number of transactions that the oplog neither commits nor aborts. */
    public int openTransactions() {
        return transactions.open();
    }

    /** The time of the last entry read; see {@link OplogEntry#text}. */
    public long lastTime() {
        return lastTime;
    }
}
