package io.pgstress.importer;

import io.pgstress.importer.OplogWriter.Blob;
import io.pgstress.importer.OplogWriter.Oid;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Makes random documents, and others from them. */
final class RandomDocuments {
    private static final String[] NAMES = {"a", "b", "c", "d e", "q\"uote", "\u00fc", "back\\slash"};
    private static final int MAX_DEPTH = 3;

    private final Random random;

    RandomDocuments(Random random) {
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
