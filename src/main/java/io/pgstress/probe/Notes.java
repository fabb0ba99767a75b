package io.pgstress.probe;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;

/** Notes about what could not be read from servers. A note that applies to several servers appears once, with all their names. Thread-safe. */
final class Notes {
    private final Set<String> texts = new ConcurrentSkipListSet<>();
    private final Map<String, Set<String>> ofNodes = new ConcurrentSkipListMap<>();

    void add(String text) {
        texts.add(text);
    }

    /** @param format with one {@code %s} for the names */
    void add(String format, String node) {
        ofNodes.computeIfAbsent(format, f -> new ConcurrentSkipListSet<>()).add(node);
    }

    List<String> all() {
        List<String> all = new ArrayList<>(texts);
        ofNodes.forEach((format, nodes) -> all.add(format.replace("%s", String.join(", ", nodes))));
        return all;
    }
}
