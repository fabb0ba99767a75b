package io.pgstress.extra.suggest;

import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.bson.dump.MongoDump;
import io.pgstress.plan.option.InvalidPlanException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a dump tells about one collection.
 *
 * @param database its database; empty if unknown
 * @param notes what else there is to know
 */
record ProfileSource(String database, String collection, ObservedLoad load, DocumentFacts facts, List<String> notes) {
    /**
     * Reads a dump.
     *
     * @param databases patterns; empty: all
     * @param wanted the collection; empty: the one that the profile names most often, or else the largest
     */
    static ProfileSource read(Path dump, List<String> databases, String wanted)
            throws IOException, InterruptedException {
        if (!Files.exists(dump)) {
            throw new InvalidPlanException(dump + ": no such file or directory");
        }
        Profile profile = Profile.read(dump, databases);
        List<String> notes = new ArrayList<>(profile.notes());
        List<Map.Entry<String, ObservedLoad>> loads = profile.loads().entrySet().stream()
                .filter(each -> wanted.isEmpty() || collection(each.getKey()).equals(wanted))
                .sorted(Comparator.comparing((Map.Entry<String, ObservedLoad> each) ->
                                -each.getValue().entries())
                        .thenComparing(Map.Entry::getKey))
                .toList();
        if (loads.isEmpty()) {
            return guess(dump, databases, wanted, notes);
        }
        String namespace = loads.get(0).getKey();
        String database = namespace.substring(0, namespace.indexOf('.'));
        String collection = collection(namespace);
        loads.stream()
                .skip(1)
                .forEach(other -> notes.add(other.getKey() + " is left out, with "
                        + Suggestion.count(other.getValue().entries(), "entry", "entries")
                        + ": select it with --db and --collection"));
        return new ProfileSource(
                database, collection, loads.get(0).getValue(), facts(dump, database, collection, notes), notes);
    }

    private static String collection(String namespace) {
        return namespace.substring(namespace.indexOf('.') + 1);
    }

    private static ProfileSource guess(Path dump, List<String> databases, String wanted, List<String> notes)
            throws IOException, InterruptedException {
        List<String> collections = wanted.isEmpty() ? List.of() : List.of(wanted);
        Optional<DumpCollection> largest;
        try (MongoDump open = MongoDump.open(dump, new DumpFilter(databases, collections, false))) {
            List<DumpCollection> found = open.collections();
            largest = found.stream().max(Comparator.comparingLong(DumpCollection::bytes));
            if (found.size() > 1) {
                notes.add("the dump has " + found.size()
                        + " collections, and this is the largest one: select another one with --db and --collection");
            }
        }
        DumpCollection chosen = largest.orElseThrow(() -> new InvalidPlanException(
                dump + ": there is no " + (wanted.isEmpty() ? "collection" : "collection " + wanted)));
        return new ProfileSource(
                chosen.database(),
                chosen.collection(),
                Profile.guess(chosen.metadata()),
                facts(dump, chosen.database(), chosen.collection(), notes),
                notes);
    }

    private static DocumentFacts facts(Path dump, String database, String collection, List<String> notes)
            throws IOException, InterruptedException {
        boolean isProfile =
                Files.isRegularFile(dump) && String.valueOf(dump.getFileName()).startsWith(Profile.COLLECTION);
        DocumentFacts facts = isProfile ? new DocumentFacts() : DocumentFacts.read(dump, database, collection);
        if (facts.documents() == 0) {
            notes.add("the dump has no documents of " + collection
                    + ": which fields are arrays, and the type of the _id, are unknown");
        }
        return facts;
    }
}
