package io.pgstress.bson.dump;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.Chunk;
import java.util.ArrayList;
import java.util.List;

/** Records the calls for a dump; for documents, their {@code _id} if it is an int32 and the first element. */
final class Recorder implements DumpVisitor {
    final List<String> events = new ArrayList<>();
    final List<String> passedOver = new ArrayList<>();
    int chunksOut;

    static List<String> read(MongoDump dump) throws Exception {
        Recorder recorder = new Recorder();
        dump.read(recorder, 64);
        return recorder.events;
    }

    @Override
    public boolean begin(DumpCollection collection) {
        events.add("begin " + collection.namespace());
        return !passedOver.contains(collection.namespace());
    }

    @Override
    public Chunk empty() {
        chunksOut++;
        return new Chunk(64);
    }

    @Override
    public void chunk(DumpCollection collection, Chunk documents) {
        chunksOut--;
        documents.parse();
        for (int i = 0; i < documents.count(); i++) {
            int id = Bytes.intAt(documents.array(), documents.start(i) + 9);
            events.add(collection.namespace() + " " + id + " #" + documents.ordinal(i));
        }
    }

    @Override
    public void end(DumpCollection collection, long count) {
        events.add("end " + collection.namespace() + " " + count);
    }

    @Override
    public void failed(DumpCollection collection, long count, BsonException fault) {
        events.add("failed " + collection.namespace() + " " + count + " " + fault.getMessage());
    }

    @Override
    public void unreadable(DumpCollection collection, BsonException fault) {
        events.add("unreadable " + collection.namespace() + " " + fault.getMessage());
    }

    @Override
    public void unused(Chunk chunk) {
        chunksOut--;
    }
}
