package io.pgstress.extra.oplog;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.dump.MongoDump;
import io.pgstress.bson.json.KeyFinder;
import io.pgstress.bson.json.KeyKind;
import io.pgstress.bson.json.KeyKinds;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Reads an oplog in advance to find the kinds of the keys that it inserts, and what it changes. Used by one thread. */
final class KeyLook {
    private final Map<String, KeyKinds> kinds = new HashMap<>();
    private final Set<String> changed = new TreeSet<>();
    private final KeyFinder finder = new KeyFinder();

    private KeyLook() {}

    /** What the whole oplog has. */
    static KeyLook at(Oplog oplog) throws IOException, InterruptedException {
        KeyLook look = new KeyLook();
        try (MongoDump dump = oplog.open()) {
            Oplog.read(dump, new OplogReader(oplog.collection(), oplog.limit(), look::see));
        } catch (BsonException e) {
            // reported after the operations before it are applied
        }
        return look;
    }

    /** The kinds of the keys of inserted documents, by namespace. */
    Map<String, KeyKinds> kinds() {
        return kinds;
    }

    /** The namespaces that the operations change. */
    Set<String> changed() {
        return changed;
    }

    private void see(Operation operation) {
        Fields content = operation.content();
        if (content == null) {
            return;
        }
        if (operation.kind() == Operation.Kind.COMMAND) {
            changed.addAll(Commands.changed(operation, content));
            return;
        }
        changed.add(operation.namespace());
        if (operation.kind() != Operation.Kind.INSERT) {
            return;
        }
        if (finder.findLast(content.bytes(), content.start(), content.size())) {
            KeyKind kind = finder.kind(content.bytes());
            kinds.computeIfAbsent(operation.namespace(), n -> new KeyKinds()).add(kind);
        }
    }
}
