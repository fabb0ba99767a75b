package io.pgstress.extra.oplog;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.Chunk;
import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.bson.dump.DumpPass;
import io.pgstress.extra.oplog.BsonFields.Field;
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
public final class OplogReader extends DumpPass {
    /** Receives operations. */
    public interface Consumer {
        /** Receives the next operation. */
        void accept(OplogOperation operation) throws IOException, InterruptedException;
    }

    private final DumpCollection oplog;
    private final long limit;
    private final Consumer consumer;
    private final Transactions transactions = new Transactions();
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
        if (limit != 0 && Long.compareUnsigned(time, limit) >= 0) {
            ended = true;
            return;
        }
        entries++;
        lastTime = time;
        Field op = fields.find("op");
        noChange += op != null && isNoChange(op) ? 1 : 0;
        for (OplogOperation each : transactions.operations(entry, fields)) {
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

    /**
     * Splits entries into operations. Those of a transaction that has several entries, or that is prepared, are held until it
     * commits, as mongorestore does; those of one that never commits are dropped. Not thread-safe.
     */
    static final class Transactions {
        /** Entries that change no document: no-ops, a database's creation before 4.0, and internal bookkeeping. */
        private static final Set<String> NO_CHANGE = Set.of("n", "db", "cd", "ci", "cu", "km");

        private static final String APPLY_OPS = "applyOps";

        private final Map<String, List<OplogOperation>> open = new HashMap<>();

        /** The operations that take effect with this entry. */
        List<OplogOperation> operations(OplogEntry entry, BsonFields fields) {
            try {
                return split(entry, fields);
            } catch (EntryException e) {
                return List.of(OplogOperation.unreadable(entry, e));
            }
        }

        /** The number of transactions that were neither committed nor aborted so far. */
        int open() {
            return open.size();
        }

        /** Whether an entry of this kind changes no document. */
        static boolean isNoChange(String op) {
            return NO_CHANGE.contains(op);
        }

        private List<OplogOperation> split(OplogEntry entry, BsonFields fields) {
            String op = fields.get("op").string();
            if (isNoChange(op)) {
                return List.of();
            }
            if (!op.equals("c")) {
                return List.of(operation(entry, fields, op));
            }
            String transaction = OplogEntry.transaction(fields);
            BsonFields command = fields.get("o").document();
            return switch (command.first().name()) {
                case APPLY_OPS -> applyOps(entry, command, transaction);
                case "commitTransaction" -> commit(entry, fields, transaction);
                case "abortTransaction" -> {
                    held(transaction);
                    yield List.of();
                }
                default -> List.of(operation(entry, fields, op));
            };
        }

        private List<OplogOperation> applyOps(OplogEntry entry, BsonFields command, @Nullable String transaction) {
            List<OplogOperation> all = new ArrayList<>();
            boolean incomplete = command.isTrue("partialTxn") || command.isTrue("prepare");
            if (transaction != null && incomplete) {
                inner(entry, command, open.computeIfAbsent(transaction, t -> new ArrayList<>()));
                return all;
            }
            List<OplogOperation> before = held(transaction);
            if (before != null) {
                all.addAll(before);
            }
            inner(entry, command, all);
            return all;
        }

        private @Nullable List<OplogOperation> held(@Nullable String transaction) {
            return transaction == null ? null : open.remove(transaction);
        }

        private List<OplogOperation> commit(OplogEntry entry, BsonFields fields, @Nullable String transaction) {
            List<OplogOperation> operations = held(transaction);
            return operations == null ? List.of(operation(entry, fields, "c")) : operations;
        }

        /** Adds the operations of an {@code applyOps}, which may be nested. */
        private static void inner(OplogEntry entry, BsonFields command, List<OplogOperation> to) {
            if (command.first().type() != BsonType.ARRAY) {
                throw new EntryException("a malformed entry", "applyOps is not an array");
            }
            for (Field each : command.first().fields()) {
                try {
                    BsonFields fields = each.document();
                    String op = fields.get("op").string();
                    if (op.equals("c")
                            && fields.get("o").document().first().name().equals(APPLY_OPS)) {
                        inner(entry, fields.get("o").document(), to);
                    } else if (!isNoChange(op)) {
                        to.add(operation(entry, fields, op));
                    }
                } catch (EntryException e) {
                    to.add(OplogOperation.unreadable(entry, e));
                }
            }
        }

        private static OplogOperation operation(OplogEntry entry, BsonFields fields, String op) {
            OplogOperation.Kind kind = switch (op) {
                case "i" -> OplogOperation.Kind.INSERT;
                case "u" -> OplogOperation.Kind.UPDATE;
                case "d" -> OplogOperation.Kind.DELETE;
                case "c" -> OplogOperation.Kind.COMMAND;
                default -> throw new EntryException("an unknown operation", "op is '" + op + "'");
            };
            Field selector = fields.find("o2");
            return new OplogOperation(
                    kind,
                    fields.get("ns").string(),
                    fields.get("o").document(),
                    selector == null || selector.type() != BsonType.DOCUMENT ? null : selector.document(),
                    fields.isTrue("b"),
                    entry,
                    null);
        }
    }
}
