package io.pgstress.extra.oplog;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.Chunk;
import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.bson.dump.DumpPass;
import io.pgstress.extra.oplog.BsonFields.Field;
import io.pgstress.extra.oplog.OplogOperation.Kind;
import io.pgstress.extra.oplog.OplogOperation.OplogEntry;
import io.pgstress.importer.table.Naming.Namespace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads an oplog and passes its operations on, in order. The same input always gives the same operations, so their number
 * identifies how far a replay has come. Used by one thread.
 */
final class OplogReader extends DumpPass {
    /** Receives operations. */
    interface Consumer {
        /** Receives the next operation. */
        void accept(OplogOperation operation) throws IOException, InterruptedException;
    }

    private final Oplog oplog;
    private final Consumer consumer;
    private final Transactions transactions = new Transactions();
    private long entries;
    private long noChange;
    private long lastTime;
    private boolean begun;
    private boolean ended;

    /** @param oplog the oplog to read, up to its limit; other collections are passed over */
    OplogReader(Oplog oplog, Consumer consumer) {
        this.oplog = oplog;
        this.consumer = consumer;
    }

    @Override
    public boolean begin(DumpCollection collection) {
        boolean wanted = collection.namespace().equals(oplog.collection().namespace());
        begun |= wanted;
        return wanted;
    }

    @Override
    protected void documents(DumpCollection collection, Chunk documents) throws IOException, InterruptedException {
        for (int i = 0; i < documents.count() && !ended; i++) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            entry(OplogEntry.of(documents, i));
        }
    }

    private void entry(OplogEntry entry) throws IOException, InterruptedException {
        BsonFields fields;
        try {
            fields = entry.fields();
        } catch (EntryException e) {
            entries++;
            consumer.accept(OplogOperation.unreadable(entry, e));
            return;
        }
        long time = OplogEntry.time(fields);
        if (oplog.limit() != 0 && Long.compareUnsigned(time, oplog.limit()) >= 0) {
            ended = true;
            return;
        }
        entries++;
        lastTime = time;
        Field op = fields.find("op");
        noChange += op != null && op.isString() && Transactions.NO_CHANGE.contains(op.string()) ? 1 : 0;
        for (OplogOperation each : transactions.operations(entry, fields)) {
            consumer.accept(each);
        }
    }

    /** Whether the input has the oplog. */
    boolean hasBegun() {
        return begun;
    }

    /** The number of entries read. */
    long entries() {
        return entries;
    }

    /** The number of entries read that change no document. */
    long noChange() {
        return noChange;
    }

    /** The number of transactions that the oplog neither commits nor aborts. */
    int openTransactions() {
        return transactions.open.size();
    }

    /** The time of the last entry read; see {@link OplogEntry#text}. */
    long lastTime() {
        return lastTime;
    }

    /**
     * Splits entries into operations. Those of a transaction that has several entries, or that is prepared, are held until it
     * commits, as mongorestore does; those of one that never commits are dropped. Not thread-safe.
     */
    private static final class Transactions {
        /** Entries that change no document: no-ops, a database's creation before 4.0, and internal bookkeeping. */
        static final Set<String> NO_CHANGE = Set.of("n", "db", "cd", "ci", "cu", "km");

        private static final String APPLY_OPS = "applyOps";
        private static final Map<String, Kind> KINDS =
                Map.of("i", Kind.INSERT, "u", Kind.UPDATE, "d", Kind.DELETE, "c", Kind.COMMAND);

        /** The operations of transactions that were neither committed nor aborted so far. */
        private final Map<String, List<OplogOperation>> open = new HashMap<>();

        /** The operations that take effect with this entry. */
        List<OplogOperation> operations(OplogEntry entry, BsonFields fields) {
            try {
                return split(entry, fields);
            } catch (EntryException e) {
                return List.of(OplogOperation.unreadable(entry, e));
            }
        }

        private List<OplogOperation> split(OplogEntry entry, BsonFields fields) {
            String op = fields.get("op").string();
            if (NO_CHANGE.contains(op)) {
                return List.of();
            }
            if (!op.equals("c")) {
                return List.of(operation(entry, fields, op));
            }
            String transaction = OplogEntry.transaction(fields);
            BsonFields command = fields.get("o").document();
            return switch (command.first().name()) {
                case APPLY_OPS -> applyOps(entry, command, transaction);
                case "commitTransaction" -> {
                    List<OplogOperation> operations = held(transaction);
                    yield operations == null ? List.of(operation(entry, fields, op)) : operations;
                }
                case "abortTransaction" -> {
                    held(transaction);
                    yield List.of();
                }
                default -> List.of(operation(entry, fields, op));
            };
        }

        private List<OplogOperation> applyOps(OplogEntry entry, BsonFields command, @Nullable String transaction) {
            boolean incomplete = command.isTrue("partialTxn") || command.isTrue("prepare");
            if (transaction != null && incomplete) {
                inner(entry, command, open.computeIfAbsent(transaction, t -> new ArrayList<>()));
                return List.of();
            }
            List<OplogOperation> before = held(transaction);
            List<OplogOperation> all = before == null ? new ArrayList<>() : before;
            inner(entry, command, all);
            return all;
        }

        private @Nullable List<OplogOperation> held(@Nullable String transaction) {
            return transaction == null ? null : open.remove(transaction);
        }

        /** Adds the operations of an {@code applyOps}, which may be nested. */
        private static void inner(OplogEntry entry, BsonFields command, List<OplogOperation> to) {
            if (command.first().type() != BsonType.ARRAY) {
                throw EntryException.malformed("applyOps is not an array");
            }
            for (Field each : command.first().fields()) {
                try {
                    BsonFields fields = each.document();
                    String op = fields.get("op").string();
                    if (op.equals("c")
                            && fields.get("o").document().first().name().equals(APPLY_OPS)) {
                        inner(entry, fields.get("o").document(), to);
                    } else if (!NO_CHANGE.contains(op)) {
                        to.add(operation(entry, fields, op));
                    }
                } catch (EntryException e) {
                    to.add(OplogOperation.unreadable(entry, e));
                }
            }
        }

        private static OplogOperation operation(OplogEntry entry, BsonFields fields, String op) {
            Kind kind = KINDS.get(op);
            if (kind == null) {
                throw new EntryException("an unknown operation", "op is '" + op + "'");
            }
            Field selector = fields.find("o2");
            return new OplogOperation(
                    kind,
                    Namespace.of(fields.get("ns").string()),
                    fields.get("o").document(),
                    selector == null || selector.type() != BsonType.DOCUMENT ? null : selector.document(),
                    fields.isTrue("b"),
                    entry,
                    null);
        }
    }
}
