package io.pgstress.extra.suggest;

import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.bson.dump.MongoDump;
import io.pgstress.extra.suggest.ObservedLoad.ProfileEntry;
import io.pgstress.importer.table.Naming;
import io.pgstress.importer.table.Naming.Namespace;
import io.pgstress.importer.table.TableNames;
import io.pgstress.plan.option.InvalidPlanException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * What a dump tells about one collection.
 *
 * @param database its database; empty if unknown
 * @param table the name that an import gives its table
 * @param others the other collections that could have been taken, with the number of their entries in the profile
 * @param notes what else there is to know
 */
record Profile(
        String database,
        String collection,
        String table,
        ObservedLoad load,
        DocumentFacts facts,
        Map<String, Long> others,
        List<String> notes) {
    /** The collection that the profiler writes. */
    private static final String COLLECTION = "system.profile";

    private static final String MONGODUMP = "mongodump";

    /**
     * Reads a dump.
     *
     * @param databases patterns; empty: all
     * @param wanted the collection; empty: the one that the profile names most often, or else the largest
     * @param among whether a collection may be taken
     */
    static Profile read(DumpSource dump, List<String> databases, String wanted, Predicate<Namespace> among)
            throws IOException, InterruptedException {
        List<String> notes = new ArrayList<>();
        Map<Namespace, ObservedLoad> loads = loads(dump, databases, notes);
        List<Namespace> busiest = loads.keySet().stream()
                .filter(each -> (wanted.isEmpty() || each.collection().equals(wanted)) && among.test(each))
                .sorted(Comparator.comparing(
                                (Namespace each) -> -of(each, loads).entries())
                        .thenComparing(Namespace::toString))
                .toList();
        if (busiest.isEmpty()) {
            List<DumpCollection> largest = largest(dump, databases, wanted, among);
            List<Namespace> names = largest.stream()
                    .map(each -> new Namespace(each.database(), each.collection()))
                    .toList();
            return of(names, ObservedLoad.guess(largest.get(0).metadata()), loads, dump, notes);
        }
        return of(busiest, of(busiest.get(0), loads), loads, dump, notes);
    }

    private static ObservedLoad of(Namespace namespace, Map<Namespace, ObservedLoad> loads) {
        return loads.getOrDefault(namespace, new ObservedLoad());
    }

    /**
     * What all {@code system.profile} collections of a dump recorded. Entries of mongodump itself, and of system collections, are
     * left out.
     */
    private static Map<Namespace, ObservedLoad> loads(DumpSource dump, List<String> databases, List<String> notes)
            throws IOException, InterruptedException {
        Map<Namespace, ObservedLoad> loads = new HashMap<>();
        DumpDocuments documents = new DumpDocuments((found, document, chunk, number) -> {
            ProfileEntry entry = ProfileEntry.of(document);
            String collection = entry.namespace().collection();
            boolean isSystem = collection.startsWith("system.") || collection.startsWith("$") || collection.isEmpty();
            if (!isSystem && !entry.command().isEmpty() && !entry.application().equals(MONGODUMP)) {
                loads.computeIfAbsent(entry.namespace(), n -> new ObservedLoad())
                        .add(entry);
            }
            return true;
        });
        documents.read(dump, new DumpFilter(databases, List.of(COLLECTION), false));
        notes.addAll(documents.faults(!loads.isEmpty()));
        if (documents.skipped() > 0) {
            notes.add(documents.skipped() + " entries of " + COLLECTION + " cannot be read");
        }
        return loads;
    }

    /** The collections that may be taken, the largest first; at least one. */
    private static List<DumpCollection> largest(
            DumpSource dump, List<String> databases, String wanted, Predicate<Namespace> among) throws IOException {
        List<String> collections = wanted.isEmpty() ? List.of() : List.of(wanted);
        try (MongoDump open = dump.open(new DumpFilter(databases, collections, false))) {
            List<DumpCollection> found = open.collections().stream()
                    .filter(each -> among.test(new Namespace(each.database(), each.collection())))
                    .sorted(Comparator.comparing(each -> -each.bytes()))
                    .toList();
            if (found.isEmpty()) {
                throw new InvalidPlanException(
                        dump.path() + ": there is no " + (wanted.isEmpty() ? "collection" : "collection " + wanted));
            }
            return found;
        }
    }

    /** @param names the collection, then others that could have been taken */
    private static Profile of(
            List<Namespace> names,
            ObservedLoad load,
            Map<Namespace, ObservedLoad> loads,
            DumpSource dump,
            List<String> notes)
            throws IOException, InterruptedException {
        Namespace name = names.get(0);
        Map<String, Long> others = new LinkedHashMap<>();
        names.stream()
                .skip(1)
                .forEach(each ->
                        others.put(each.toString(), (long) of(each, loads).entries()));
        Path path = Path.of(dump.path());
        boolean isProfile =
                Files.isRegularFile(path) && String.valueOf(path.getFileName()).startsWith(COLLECTION);
        DocumentFacts facts =
                isProfile ? new DocumentFacts() : DocumentFacts.read(dump, name.database(), name.collection(), notes);
        if (facts.documents() == 0) {
            notes.add("the dump has no documents of " + name.collection()
                    + ": which fields are arrays, and the type of the _id, are unknown");
        }
        return new Profile(name.database(), name.collection(), table(name, dump), load, facts, others, notes);
    }

    /** The name that an import of the dump gives the table. */
    private static String table(Namespace name, DumpSource dump) throws IOException {
        try (MongoDump whole = dump.open(DumpFilter.ALL)) {
            return new TableNames(whole, Naming.AS_DUMPED)
                    .of(new DumpCollection(name.database(), name.collection(), dump.path(), -1))
                    .toString();
        }
    }
}
