package io.pgstress.importer.oplog;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.dump.MongoDump;
import io.pgstress.bson.key.KeyFinder;
import io.pgstress.bson.key.KeyKind;
import io.pgstress.bson.key.KeyKinds;
import io.pgstress.importer.oplog.entry.Fields;
import io.pgstress.importer.oplog.entry.Operation;
import io.pgstress.importer.oplog.entry.OplogReader;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Reads an oplog in advance to find the kinds of the keys that it inserts. Used by one thread. */
final class KeyLook {
    private final Map<String, KeyKinds> kinds = new HashMap<>();
    private final KeyFinder finder = new KeyFinder();

    private KeyLook() {}

    /** The kinds of the keys of inserted documents, by namespace. */
    static Map<String, KeyKinds> at(Oplog oplog) throws IOException, InterruptedException {
        KeyLook look = new KeyLook();
        try (MongoDump dump = oplog.open()) {
            Oplog.read(dump, new OplogReader(oplog.collection(), oplog.limit(), look::see));
        } catch (BsonException e) {
            // reported after the operations before it are applied
        }
        return look.kinds;
    }

    private void see(Operation operation) {
        Fields content = operation.content();
        if (operation.kind() != Operation.Kind.INSERT || content == null) {
            return;
        }
        if (finder.findLast(content.bytes(), content.start(), content.size())) {
            KeyKind kind = finder.kind(content.bytes());
            kinds.computeIfAbsent(operation.namespace(), n -> new KeyKinds()).add(kind);
        }
    }
}
