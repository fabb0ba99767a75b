package io.pgstress.bson.dump;

import io.pgstress.bson.BsonException;
import io.pgstress.text.Counted;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The files of a dump in directories: {@code <root>/<database>/<collection>.bson[.gz|.zst]}, each with its {@code
 * .metadata.json[.gz|.zst]}; or of mongoexport, {@code <collection>.json}.
 */
final class DumpFiles {
    private static final String EXPECTED =
            "a directory with .bson files from mongodump or .json files from mongoexport";

    /** Levels of directories that are searched for a dump if there is none where it should be. */
    private static final int MAX_BELOW = 4;

    private final DumpFilter filter;
    private final TreeMap<String, DumpCollection> found = new TreeMap<>();
    private final List<LeftOut> leftOut = new ArrayList<>();
    /** By the directory, what its {@code system.indexes.bson} describes. */
    private final Map<Path, SystemIndexes> described = new HashMap<>();

    /** Whether there is any collection, also one that is left out. */
    private boolean hasCollections;

    private int filesOfMacOs;

    private DumpFiles(DumpFilter filter) {
        this.filter = filter;
    }

    List<DumpCollection> collections() {
        return List.copyOf(found.values());
    }

    List<LeftOut> leftOut() {
        List<LeftOut> all = new ArrayList<>(leftOut);
        if (filesOfMacOs > 0) {
            all.add(new LeftOut("._*, .DS_Store and __MACOSX", Counted.of(filesOfMacOs, "file") + " of macOS"));
        }
        return all;
    }

    /** Lists the directory of a dump, or of a database if it directly contains files of collections. */
    static DumpFiles of(Path directory, DumpFilter filter) throws IOException {
        DumpFiles files = new DumpFiles(filter);
        List<Path> entries = entries(directory);
        List<Path> strays = entries.stream()
                .filter(path -> FileNames.isData(path) && !FileNames.isOplog(path))
                .toList();
        List<Path> databases = new ArrayList<>();
        for (Path entry : strays.isEmpty() ? List.<Path>of() : entries) {
            if (Files.isDirectory(entry) && entries(entry).stream().anyMatch(FileNames::isData)) {
                databases.add(entry);
            }
        }
        boolean isDump = !databases.isEmpty();
        for (Path database : databases) {
            isDump &= entries(database).stream().anyMatch(FileNames::isBson);
        }
        if (isDump && strays.stream().noneMatch(FileNames::isBson)) {
            strays = List.of(); // JSON beside directories of databases is about the dump
        }
        if (strays.isEmpty()) {
            files.root(entries);
        } else if (databases.isEmpty()) {
            files = new DumpFiles(filter.ofDatabase(database(directory)));
            files.database(directory, entries);
        } else {
            throw mixed(directory, strays.get(0), databases.get(0));
        }
        if (!files.hasCollections) {
            List<String> below = new ArrayList<>();
            dumpsBelow(directory, MAX_BELOW, below);
            if (!below.isEmpty()) {
                throw new BsonException(
                        directory.toString(), -1, EXPECTED, "them further down: name " + Counted.first(below, ", "));
            }
            if (files.leftOut().isEmpty()) {
                throw new BsonException(directory.toString(), -1, EXPECTED, "none in it");
            }
        }
        return files;
    }

    /** Finds the directories that would be read as dumps, down to this number of levels. */
    private static void dumpsBelow(Path directory, int levels, List<String> found) throws IOException {
        for (Path each : entries(directory)) {
            if (!Files.isDirectory(each) || !Files.isReadable(each)) {
                continue;
            }
            if (entries(each).stream().anyMatch(path -> FileNames.isData(path) && !FileNames.isOplog(path))) {
                found.add(directory.toString());
                return;
            }
            if (levels > 1) {
                dumpsBelow(each, levels - 1, found);
            }
        }
    }

    private static BsonException mixed(Path directory, Path file, Path database) {
        return new BsonException(
                directory.toString(),
                -1,
                "either files of one database or directories of databases",
                "both, such as " + FileNames.name(file) + " and " + FileNames.name(database)
                        + "/: import one of them by its path (" + database + " or " + file
                        + "), or move the files away to import all directories");
    }

    /** A single file, selected whatever its name. Its database is named like its directory, unless the filter names another. */
    static DumpFiles ofFile(Path file, DumpFilter filter) throws IOException {
        if (FileNames.isOtherJson(file)) {
            throw BsonException.foreign(
                    file.toString(),
                    "a file beside documents, and has none: name the directory or the file of documents");
        }
        DumpFiles files = new DumpFiles(filter.withSystem());
        Path directory = file.toAbsolutePath().normalize().getParent();
        String database = filter.databaseOr(directory == null ? "" : FileNames.name(directory));
        Metadata metadata = Metadata.beside(file);
        String asked = filter.collectionOr("");
        String own = FileNames.collection(file, metadata);
        files.add(
                database,
                asked.isEmpty() ? own : asked,
                metadata.json().isEmpty() ? files.described(file, own) : metadata,
                file);
        return files;
    }

    private void root(List<Path> entries) throws IOException {
        for (Path entry : entries) {
            if (FileNames.isOfMacOs(entry)) {
                filesOfMacOs++;
            } else if (Files.isDirectory(entry)) {
                database(entry, entries(entry));
            } else if (FileNames.isOplog(entry)) {
                file("", entry);
            } else if (!FileNames.isPrelude(entry)) {
                leftOut.add(new LeftOut(entry.toString(), whyNotRead(entry)));
            }
        }
    }

    /** Why a file with another name than those of documents is not read. */
    private static String whyNotRead(Path file) throws IOException {
        if (Files.isRegularFile(file)) {
            try (DumpInput input = DumpInput.open(file)) {
                if (input.isArchive()) {
                    return "an archive: import it by its own path";
                }
            } catch (BsonException e) {
                return "not a dump file"; // its content does not matter
            }
        }
        return "not a dump file";
    }

    /** The database whose files are in a directory. */
    private static String database(Path directory) {
        return FileNames.name(directory.toAbsolutePath().normalize());
    }

    private void database(Path directory, List<Path> entries) throws IOException {
        String database = database(directory);
        for (Path entry : entries) {
            if (FileNames.isOfMacOs(entry)) {
                filesOfMacOs++;
            } else if (Files.isDirectory(entry)) {
                leftOut.add(new LeftOut(
                        entry.toString(), "a directory below that of a database: import it by its own path"));
            } else if (FileNames.isData(entry)) {
                file(database, entry);
            } else if (FileNames.isMetadata(entry)) {
                metadataAlone(database, entry, entries);
            } else if (!FileNames.isPrelude(entry)) {
                leftOut.add(new LeftOut(entry.toString(), whyNotRead(entry)));
            }
        }
    }

    /** Handles metadata without documents: of a view, of a time series, whose buckets have their own file, or of a lost file. */
    private void metadataAlone(String database, Path path, List<Path> entries) throws IOException {
        String name = FileNames.name(path);
        String base = name.substring(0, name.indexOf(FileNames.METADATA));
        List<String> bases =
                entries.stream().filter(FileNames::isData).map(FileNames::base).toList();
        if (bases.contains(base) || bases.contains(DumpFilter.BUCKETS + base)) {
            return;
        }
        Metadata metadata = Metadata.read(path);
        hasCollections = true;
        if (metadata.isView()) {
            leftOut.add(new LeftOut(database + "." + FileNames.decode(base), LeftOut.VIEW));
            return;
        }
        Path lost = path.resolveSibling(base + ".bson" + FileNames.compression(name));
        add(database, FileNames.collection(lost, metadata), metadata, lost);
    }

    private void file(String database, Path path) throws IOException {
        Metadata metadata = Metadata.beside(path);
        String collection = FileNames.collection(path, metadata);
        add(database, collection, metadata.json().isEmpty() ? described(path, collection) : metadata, path);
    }

    /** What {@code system.indexes.bson} says about a collection without metadata: dumps of MongoDB 2.x have it. */
    private Metadata described(Path documents, String collection) throws IOException {
        Path directory = documents.toAbsolutePath().normalize().getParent();
        if (directory == null || SystemIndexes.isAt(documents)) {
            return Metadata.NONE;
        }
        SystemIndexes indexes = described.get(directory);
        if (indexes == null) {
            indexes = SystemIndexes.in(directory);
            described.put(directory, indexes);
        }
        return indexes.of(collection);
    }

    private void add(String database, String collection, Metadata metadata, Path path) throws IOException {
        DumpCollection each = new DumpCollection(
                database, collection, metadata.options(), metadata.json(), path.toString(), size(path));
        hasCollections = true;
        String reason = filter.reasonAgainst(database, collection, metadata.type());
        if (!reason.isEmpty() || (metadata.isView() && isEmpty(path))) {
            leftOut.add(new LeftOut(each.namespace(), reason.isEmpty() ? LeftOut.VIEW : reason));
            return;
        }
        DumpCollection other = found.put(each.namespace(), each);
        if (other != null) {
            throw new BsonException(
                    String.valueOf(path.getParent()),
                    -1,
                    "one file for each collection",
                    FileNames.name(Path.of(other.label())) + " and " + FileNames.name(path)
                            + ": move one of them away, or import one of them by its path");
        }
    }

    /** Whether a file is missing or has no documents. */
    private static boolean isEmpty(Path file) throws IOException {
        if (size(file) == 0) {
            return true;
        }
        try (DumpInput input = DumpInput.open(file)) {
            return input.window().available(1) == 0;
        }
    }

    private static long size(Path file) throws IOException {
        return Files.exists(file) ? Files.size(file) : 0;
    }

    private static List<Path> entries(Path directory) throws IOException {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            stream.forEach(entries::add);
        } catch (DirectoryIteratorException | IOException e) {
            throw new BsonException(directory.toString(), -1, "a readable directory", reason(e), e);
        }
        entries.sort(Comparator.comparing(FileNames::name));
        return entries;
    }

    /** Why a file or directory cannot be opened; the system's message is often only its name. */
    static String reason(Exception e) {
        Throwable cause = e instanceof DirectoryIteratorException ? e.getCause() : e;
        if (cause instanceof AccessDeniedException) {
            return "that access is denied";
        }
        return cause instanceof NoSuchFileException ? "none" : String.valueOf(cause);
    }
}
