package io.pgstress.bson.dump;

import io.pgstress.bson.BsonException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Several dumps that are read one after the other, as if they were one. */
public final class SeveralDumps implements MongoDump {
    private final Map<String, MongoDump> dumps;
    private volatile long bytesBefore;
    private volatile MongoDump current;

    /** @param dumps at least one, by the names that the user gave them, in this order */
    public SeveralDumps(Map<String, ? extends MongoDump> dumps) {
        this.dumps = new LinkedHashMap<>(dumps);
        current = this.dumps.values().iterator().next();
    }

    @Override
    public List<DumpCollection> collections() {
        return dumps.values().stream()
                .flatMap(each -> each.collections().stream())
                .toList();
    }

    @Override
    public List<LeftOut> leftOut() {
        return dumps.values().stream().flatMap(each -> each.leftOut().stream()).toList();
    }

    @Override
    public Map<String, List<DumpCollection>> byDump() {
        Map<String, List<DumpCollection>> all = new LinkedHashMap<>();
        dumps.forEach((name, dump) -> all.put(name, dump.collections()));
        return all;
    }

    @Override
    public boolean rereadable() {
        return dumps.values().stream().allMatch(MongoDump::rereadable);
    }

    @Override
    public void read(DumpVisitor visitor, int chunkBytes) throws IOException, InterruptedException {
        long before = 0;
        for (MongoDump each : dumps.values()) {
            bytesBefore = before;
            current = each;
            try {
                each.read(visitor, chunkBytes);
            } catch (BsonException e) {
                visitor.dumpFailed(each.collections(), e);
            }
            before += each.bytesRead();
        }
    }

    @Override
    public long bytesTotal() {
        long total = 0;
        for (MongoDump each : dumps.values()) {
            if (each.bytesTotal() < 0) {
                return -1;
            }
            total += each.bytesTotal();
        }
        return total;
    }

    @Override
    public long bytesRead() {
        return bytesBefore + current.bytesRead();
    }

    @Override
    public void close() throws IOException {
        List<IOException> failures = new ArrayList<>();
        for (MongoDump each : dumps.values()) {
            try {
                each.close();
            } catch (IOException e) {
                failures.add(e);
            }
        }
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
    }
}
