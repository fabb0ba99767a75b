package io.pgstress.probe.server;

import io.pgstress.result.Remark;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;

/** Notes about what could not be read from servers. A note that applies to several servers appears once, with all their names. Thread-safe. */
public final class Notes {
    static final String SERVERS = "servers";

    private final Map<Remark, Set<String>> notes = new ConcurrentHashMap<>();

    public void add(Remark note) {
        notes.computeIfAbsent(note, n -> new ConcurrentSkipListSet<>());
    }

    /** @param note about one of the servers that may have it */
    public void add(Remark note, String server) {
        notes.computeIfAbsent(note.withFigure(SERVERS, ""), n -> new ConcurrentSkipListSet<>())
                .add(server);
    }

    public List<Remark> all() {
        return notes.entrySet().stream()
                .map(note -> note.getValue().isEmpty()
                        ? note.getKey()
                        : note.getKey().withFigure(SERVERS, String.join(", ", note.getValue())))
                .sorted(Comparator.comparing(Remark::text))
                .toList();
    }
}
