package io.pgstress.bson.dump;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Selects the collections of a dump. In patterns {@code *} matches any characters and {@code ?} matches one. For a single file
 * or a stream of documents, a pattern without them is the name to use.
 *
 * <p>{@code --include} and {@code --exclude} match whole namespaces, {@code database.collection}, like mongorestore's {@code
 * --nsInclude} and {@code --nsExclude}; in these patterns, a backslash takes the next character literally.
 *
 * @param databases patterns; the database must match one of them; empty for every database
 * @param collections the same for the collection
 * @param system whether to include MongoDB's own collections: {@code system.*}, {@code $admin.*}, and those of the databases
 *     {@code config} and {@code local}, such as the oplog and the chunks of a sharded cluster. A pattern that names the collection or
 *     its database includes it anyway. Time series are never included
 * @param include patterns of namespaces; a namespace must match at least one. Empty for every namespace
 * @param exclude patterns of namespaces; a namespace must match none
 */
public record DumpFilter(
        List<String> databases, List<String> collections, boolean system, List<String> include, List<String> exclude) {
    /** Everything but system collections. */
    public static final DumpFilter ALL = new DumpFilter(List.of(), List.of(), false);

    static final String SYSTEM = "MongoDB's own; --system adds it";

    /** The namespaces of the oplog in a dump: of {@code mongodump --oplog}, and of a replica set's member. */
    public static final List<String> OPLOGS = List.of("oplog", "local.oplog.rs");

    static final String BUCKETS = "system.buckets.";

    /** Databases of MongoDB itself. The database {@code admin} may also have collections of users. */
    private static final List<String> OWN_DATABASES = List.of("config", "local");

    public DumpFilter {
        databases = List.copyOf(databases);
        collections = List.copyOf(collections);
        include = List.copyOf(include);
        exclude = List.copyOf(exclude);
    }

    /** A filter without patterns of namespaces. */
    public DumpFilter(List<String> databases, List<String> collections, boolean system) {
        this(databases, collections, system, List.of(), List.of());
    }

    /**
     * Checks a pattern of namespaces, and returns it.
     *
     * @throws IllegalArgumentException if it has no dot
     */
    public static String namespacePattern(String text) {
        int dot = text.indexOf('.');
        if (dot < 1 || dot == text.length() - 1) {
            throw new IllegalArgumentException(
                    "must be DATABASE.COLLECTION, where * matches any characters, was '" + text + "'");
        }
        return text;
    }

    /** A copy that also selects system collections. */
    DumpFilter withSystem() {
        return new DumpFilter(databases, collections, true, include, exclude);
    }

    /** The name for a database without a name of its own: the selected name, or else {@code otherwise}. */
    String databaseOr(String otherwise) {
        return named(databases, otherwise);
    }

    /** The name for a collection without a name of its own: the selected name, or else {@code otherwise}. */
    String collectionOr(String otherwise) {
        return named(collections, otherwise);
    }

    private static String named(List<String> patterns, String otherwise) {
        boolean one = patterns.size() == 1 && patterns.get(0).chars().noneMatch(c -> c == '*' || c == '?');
        return one ? patterns.get(0) : otherwise;
    }

    /** The name of the time series whose buckets a collection has; of any other collection, its own. */
    static String seriesName(String collection) {
        return collection.startsWith(BUCKETS) ? collection.substring(BUCKETS.length()) : collection;
    }

    /**
     * Why the collection is excluded; empty if it is selected.
     *
     * @param collection its name in the dump
     * @param type that of the metadata, such as "timeseries"
     */
    String reasonAgainst(String database, String collection, String type) {
        boolean listed = collections.stream().anyMatch(glob -> names(glob, collection));
        boolean named = listed || include.stream().anyMatch(glob -> names(afterDot(glob), collection));
        String namespace = database.isEmpty() ? collection : database + "." + collection;
        if (OPLOGS.contains(namespace) && !named && !system) {
            return "the tables are as mongodump read them; operations made during the dump are not applied";
        }
        if (!databases.isEmpty() && databases.stream().noneMatch(glob -> matches(glob, database))) {
            return "its database was not selected";
        }
        String outside = outside(database, collection);
        if (!outside.isEmpty()) {
            return outside;
        }
        if (!listed && !collections.isEmpty() && collections.stream().noneMatch(glob -> matches(glob, collection))) {
            return "its collection was not selected";
        }
        if (type.equals("timeseries") || collection.startsWith(BUCKETS)) {
            return String.format(
                    Locale.ROOT,
                    "a time series, whose buckets are not unpacked: copy its documents to an ordinary collection, such as"
                            + " db.%1$s.aggregate([{$out: \"%1$s_documents\"}]), and dump that",
                    seriesName(collection));
        }
        if (named || system) {
            return "";
        }
        boolean isOwn = collection.startsWith("system.")
                || collection.startsWith("$")
                || (OWN_DATABASES.contains(database) && !namesDatabase(database));
        if (isOwn && collection.equals(SystemIndexes.NAME)) {
            return "indexes of the other collections: see --indexes";
        }
        return isOwn ? SYSTEM : "";
    }

    private boolean namesDatabase(String database) {
        return databases.contains(database) || include.stream().anyMatch(glob -> glob.startsWith(database + "."));
    }

    /** A copy for the files of one database, whose directory was named. */
    DumpFilter ofDatabase(String database) {
        return databases.isEmpty() ? new DumpFilter(List.of(database), collections, system, include, exclude) : this;
    }

    /** Why the patterns of namespaces exclude the collection; empty if they do not. */
    private String outside(String database, String collection) {
        List<String> names = List.of(database + "." + collection, database + "." + seriesName(collection));
        if (exclude.stream().anyMatch(glob -> names.stream().anyMatch(each -> matches(glob, each)))) {
            return "it was excluded";
        }
        boolean included = include.isEmpty()
                || include.stream().anyMatch(glob -> names.stream().anyMatch(each -> matches(glob, each)));
        return included ? "" : "it was not included";
    }

    private static String afterDot(String pattern) {
        return pattern.substring(pattern.indexOf('.') + 1);
    }

    /** Whether the pattern names exactly this collection, which includes it even if it is a system collection. */
    private static boolean names(String glob, String collection) {
        return glob.equals(collection) || (glob.startsWith("system.") && matches(glob, collection));
    }

    /** Whether the name matches the pattern. */
    public static boolean matches(String glob, String name) {
        StringBuilder regex = new StringBuilder();
        for (int i = 0; i < glob.length(); i++) {
            char c = glob.charAt(i);
            boolean literal = c == '\\' && i + 1 < glob.length();
            if (literal) {
                c = glob.charAt(++i);
            }
            regex.append(c == '*' && !literal ? ".*" : c == '?' && !literal ? "." : Pattern.quote(String.valueOf(c)));
        }
        return Pattern.compile(regex.toString(), Pattern.DOTALL).matcher(name).matches();
    }
}
