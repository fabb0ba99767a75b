package io.pgstress.importer;

import io.pgstress.bson.BsonWriter;
import io.pgstress.importer.OplogWriter.Blob;
import io.pgstress.importer.OplogWriter.Oid;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A collection to which random operations are applied, and the oplog of these. Each document is dumped at a random moment between
 * them, as mongodump does.
 */
final class OplogModel {
    private final String namespace;
    private final Random random;
    private final ChangingDocuments any;
    private final int keys;
    private final Map<Integer, Map<String, Object>> documents = new LinkedHashMap<>();
    private final Map<Integer, Map<String, Object>> dumped = new LinkedHashMap<>();
    private final OplogWriter oplog = new OplogWriter();
    private int operations;
    private int transactions;

    OplogModel(String namespace, int keys, long seed) {
        this.namespace = namespace;
        this.keys = keys;
        this.random = new Random(seed);
        this.any = new ChangingDocuments(random);
    }

    /** Applies random operations. */
    void run(int count) {
        int[] dumpAt = random.ints(keys, 0, count).toArray();
        for (int i = 0; i < keys; i++) {
            if (random.nextBoolean()) {
                documents.put(i, any.document(id(i))); // was there before the oplog begins
            }
        }
        int at = 0;
        while (at < count) {
            int together = random.nextInt(20) == 0 ? 2 + random.nextInt(6) : 1;
            if (together == 1) {
                single(random.nextInt(keys));
            } else {
                transaction(together);
            }
            for (int i = 0; i < keys; i++) {
                if (dumpAt[i] >= at && dumpAt[i] < at + together && documents.containsKey(i)) {
                    dumped.put(i, documents.get(i));
                }
            }
            at += together;
        }
        operations = at;
    }

    private Object id(int key) {
        return new Oid(key, 77);
    }

    private void single(int key) {
        Map<String, Object> before = documents.get(key);
        if (before == null) {
            Map<String, Object> made = any.document(id(key));
            documents.put(key, made);
            oplog.insert(namespace, made);
            return;
        }
        switch (random.nextInt(10)) {
            case 0 -> {
                documents.remove(key);
                oplog.delete(namespace, id(key));
            }
            case 1 -> {
                Map<String, Object> made = any.document(id(key));
                documents.put(key, made);
                oplog.update(namespace, id(key), made);
            }
            case 2, 3, 4 -> modifiers(key, before);
            default -> {
                Map<String, Object> after = any.changedDocument(before);
                documents.put(key, after);
                oplog.diff(namespace, id(key), before, after);
            }
        }
    }

    /** {@code $set} and {@code $unset} of top-level fields and of fields in documents, as MongoDB 4.4 writes them. */
    private void modifiers(int key, Map<String, Object> before) {
        Map<String, Object> after = new LinkedHashMap<>(before);
        Map<String, Object> set = new LinkedHashMap<>();
        Map<String, Object> unset = new LinkedHashMap<>();
        String first = any.name();
        Object old = before.get(first);
        if (old instanceof Map<?, ?> nested) {
            Map<String, Object> copy = copy(nested);
            String inner = any.name();
            copy.put(inner, any.value(2));
            set.put(first + "." + inner, copy.get(inner));
            after.put(first, copy);
        } else if (old instanceof List<?> list && !list.isEmpty()) {
            List<Object> copy = new ArrayList<>(list);
            int index = random.nextInt(list.size() + 1);
            Object made = any.value(2);
            if (index == copy.size()) {
                copy.add(made);
            } else {
                copy.set(index, made);
            }
            set.put(first + "." + index, made);
            after.put(first, copy);
        } else if (old != null && random.nextBoolean()) {
            unset.put(first, true);
            after.remove(first);
        } else {
            set.put(first, any.value(1));
            after.put(first, set.get(first));
        }
        Map<String, Object> change = new LinkedHashMap<>();
        if (random.nextBoolean()) {
            change.put("$v", 1);
        }
        if (!set.isEmpty()) {
            change.put("$set", set);
        }
        if (!unset.isEmpty()) {
            change.put("$unset", unset);
        }
        documents.put(key, after);
        oplog.update(namespace, id(key), change);
    }

    private static Map<String, Object> copy(Map<?, ?> map) {
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((key, value) -> copy.put((String) key, value));
        return copy;
    }

    /** Operations in a transaction of one or several entries, prepared or not, beside one that is aborted. */
    private void transaction(int count) {
        int number = transactions++;
        boolean prepared = random.nextBoolean();
        if (random.nextBoolean()) {
            applyOps(1_000_000 + number, 1, "prepare", false);
            oplog.entry("c", "admin.$cmd", w -> {
                OplogWriter.value(w, "o", Map.of("abortTransaction", 1));
                session(w, 1_000_000 + number);
            });
        }
        int left = count;
        while (left > 0) {
            int part = 1 + random.nextInt(left);
            left -= part;
            applyOps(number, part, left > 0 ? "partialTxn" : prepared ? "prepare" : "", true);
            oplog.entry("n", "", w -> OplogWriter.value(w, "o", Map.of("msg", "periodic noop")));
        }
        if (prepared) {
            oplog.entry("c", "admin.$cmd", w -> {
                OplogWriter.value(w, "o", Map.of("commitTransaction", 1));
                session(w, number);
            });
        }
    }

    private static void session(BsonWriter w, int number) {
        OplogWriter.value(w, "lsid", Map.of("id", new Blob(3)));
        w.int64("txnNumber", number);
    }

    private void applyOps(int transaction, int count, String flag, boolean effective) {
        oplog.entry("c", "admin.$cmd", w -> {
            w.document("o").array("applyOps");
            for (int i = 0; i < count; i++) {
                w.document("");
                int key = random.nextInt(keys);
                Map<String, Object> before = documents.get(key);
                boolean delete = before != null && random.nextInt(4) == 0;
                Map<String, Object> after = before == null ? any.document(id(key)) : any.changedDocument(before);
                oplog.operation(delete ? "d" : before == null ? "i" : "u", namespace);
                if (delete) {
                    OplogWriter.value(w, "o", Map.of("_id", id(key)));
                } else if (before == null) {
                    OplogWriter.value(w, "o", after);
                } else {
                    OplogWriter.diffFields(w, id(key), before, after);
                }
                w.end();
                if (effective && delete) {
                    documents.remove(key);
                } else if (effective) {
                    documents.put(key, after);
                }
            }
            w.end();
            if (!flag.isEmpty()) {
                w.bool(flag, true);
            }
            w.end();
            session(w, transaction);
        });
    }

    /** The number of operations that were applied. */
    int operations() {
        return operations;
    }

    byte[] oplog() {
        return oplog.bytes();
    }

    byte[] dump() {
        return OplogWriter.documents(dumped.values());
    }

    /** The documents at the end. */
    byte[] result() {
        return OplogWriter.documents(documents.values());
    }

    /** Makes random documents, and others from them. */
    static final class ChangingDocuments {
        private static final String[] NAMES = {"a", "b", "c", "d e", "q\"uote", "\u00fc", "back\\slash"};
        private static final int MAX_DEPTH = 3;

        private final Random random;

        ChangingDocuments(Random random) {
            this.random = random;
        }

        /** A document with an id and up to four other fields. */
        Map<String, Object> document(Object id) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("_id", id);
            for (int i = random.nextInt(5); i > 0; i--) {
                document.put(name(), value(1));
            }
            return document;
        }

        /** The name of a field. */
        String name() {
            return NAMES[random.nextInt(NAMES.length)];
        }

        /** A value; at the greatest depth, no document and no array. */
        Object value(int depth) {
            int kind = random.nextInt(depth < MAX_DEPTH ? 12 : 8);
            return switch (kind) {
                case 0 -> random.nextInt();
                case 1 -> random.nextLong();
                case 2 -> random.nextInt(1000) / 8.0;
                case 3 -> random.nextBoolean();
                case 4 -> Instant.ofEpochMilli(random.nextLong() >> 20);
                case 5 -> new Blob(random.nextInt());
                case 6 -> new Oid(random.nextInt(), 5);
                case 7 -> "text \" \\ \n \u20ac " + random.nextInt(100);
                case 8, 9 -> {
                    List<Object> list = new ArrayList<>();
                    for (int i = random.nextInt(5); i > 0; i--) {
                        list.add(value(depth + 1));
                    }
                    yield list;
                }
                default -> {
                    Map<String, Object> map = new LinkedHashMap<>();
                    for (int i = random.nextInt(4); i > 0; i--) {
                        map.put(name(), value(depth + 1));
                    }
                    yield map;
                }
            };
        }

        /** A document that differs. */
        Map<String, Object> changedDocument(Map<String, Object> before) {
            while (true) {
                Map<String, Object> after = changed(before, 1);
                after.put("_id", before.get("_id"));
                if (!after.equals(before)) {
                    return after;
                }
            }
        }

        private Map<String, Object> changed(Map<?, ?> before, int depth) {
            Map<String, Object> after = new LinkedHashMap<>();
            before.forEach((key, value) -> {
                if (random.nextInt(8) > 0 || key.equals("_id")) {
                    after.put((String) key, random.nextInt(3) == 0 ? changedValue(value, depth) : value);
                }
            });
            if (random.nextInt(3) == 0) {
                after.put(name(), value(depth));
            }
            return after;
        }

        private Object changedValue(Object before, int depth) {
            if (before instanceof Map<?, ?> map && random.nextInt(5) > 0) {
                return changed(map, depth + 1);
            }
            if (before instanceof List<?> list && random.nextInt(5) > 0) {
                List<Object> after = new ArrayList<>();
                for (Object each : list.subList(0, random.nextInt(list.size() + 1))) {
                    after.add(random.nextInt(3) == 0 ? changedValue(each, depth + 1) : each);
                }
                while (random.nextInt(3) == 0) {
                    after.add(value(depth + 1));
                }
                return after;
            }
            return value(depth);
        }
    }
}
