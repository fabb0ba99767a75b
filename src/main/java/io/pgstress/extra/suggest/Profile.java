package io.pgstress.extra.suggest;

import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.bson.dump.MongoDump;
import io.pgstress.extra.suggest.ObservedLoad.ProfileEntry;
import io.pgstress.importer.table.Naming;
import io.pgstress.importer.table.Naming.Namespace;
import io.pgstress.importer.table.TableNames;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.text.Counted;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a dump tells about one collection.
 *
 * @param database its database; empty if unknown
 * @param table the name that an import gives its table
 * @param notes what else there is to know
 */
record Profile(
        String database, String collection, String table, ObservedLoad load, DocumentFacts facts, List<String> notes) {
    /** The collection that the profiler writes. */
    private static final String COLLECTION = "system.profile";

    private static final String MONGODUMP = "mongodump";

    /**
     * Reads a dump.
     *
     * @param databases patterns; empty: all
     * @param wanted the collection; empty: the one that the profile names most often, or else the largest
     */
    static Profile read(DumpSource dump, List<String> databases, String wanted)
            throws IOException, InterruptedException {
        List<String> notes = new ArrayList<>();
        Map<Namespace, ObservedLoad> loads = loads(dump, databases, notes);
        List<Namespace> busiest = loads.keySet().stream()
                .filter(each -> wanted.isEmpty() || each.collection().equals(wanted))
                .sorted(Comparator.comparing(
                                (Namespace each) -> -of(each, loads).entries())
                        .thenComparing(Namespace::toString))
                .toList();
        if (busiest.isEmpty()) {
            DumpCollection largest = largest(dump, databases, wanted, notes);
            Namespace name = new Namespace(largest.database(), largest.collection());
            return of(name, ObservedLoad.guess(largest.metadata()), dump, notes);
        }
        busiest.stream()
                .skip(1)
                .forEach(other -> notes.add(other + " is not included, with "
                        + Counted.of(of(other, loads).entries(), "entry")
                        + ": select it with --db and --collection"));
        return of(busiest.get(0), of(busiest.get(0), loads), dump, notes);
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

    private static DumpCollection largest(DumpSource dump, List<String> databases, String wanted, List<String> notes)
            throws IOException {
        List<String> collections = wanted.isEmpty() ? List.of() : List.of(wanted);
        try (MongoDump open = dump.open(new DumpFilter(databases, collections, false))) {
            List<DumpCollection> found = open.collections();
            if (found.size() > 1) {
                notes.add("the dump has " + found.size()
                        + " collections, and this is the largest one: select another one with --db and --collection");
            }
            return found.stream()
                    .max(Comparator.comparingLong(DumpCollection::bytes))
                    .orElseThrow(() -> new InvalidPlanException(dump.path() + ": there is no "
                            + (wanted.isEmpty() ? "collection" : "collection " + wanted)));
        }
    }

    private static Profile of(Namespace name, ObservedLoad load, DumpSource dump, List<String> notes)
            throws IOException, InterruptedException {
        Path path = Path.of(dump.path());
        boolean isProfile =
                Files.isRegularFile(path) && String.valueOf(path.getFileName()).startsWith(COLLECTION);
        DocumentFacts facts =
                isProfile ? new DocumentFacts() : DocumentFacts.read(dump, name.database(), name.collection(), notes);
        if (facts.documents() == 0) {
            notes.add("the dump has no documents of " + name.collection()
                    + ": which fields are arrays, and the type of the _id, are unknown");
        }
        return new Profile(name.database(), name.collection(), table(name, dump), load, facts, notes);
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
