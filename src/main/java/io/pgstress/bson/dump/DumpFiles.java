package io.pgstress.bson.dump;

import io.pgstress.bson.BsonException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/** The files of a dump in directories: {@code <root>/<database>/<collection>.bson[.gz]}, beside each its {@code .metadata.json[.gz]}. */
final class DumpFiles {
    private static final List<String> DATA = List.of(".bson", ".bson.gz", ".bin");
    private static final String METADATA = ".metadata.json";

    /** mongodump shortens a file name to this length: 208 bytes of the name, %24, 27 of a hash. Its metadata have the whole name. */
    private static final int SHORTENED_LENGTH = 238;

    private final DumpFilter filter;
    private final TreeMap<String, DumpCollection> found = new TreeMap<>();
    private final List<LeftOut> leftOut = new ArrayList<>();

    private DumpFiles(DumpFilter filter) {
        this.filter = filter;
    }

    List<DumpCollection> collections() {
        return List.copyOf(found.values());
    }

    List<LeftOut> leftOut() {
        return List.copyOf(leftOut);
    }

    /** A dump's directory; or a database's, which is one that has files of collections in it. */
    static DumpFiles of(Path directory, DumpFilter filter) throws IOException {
        DumpFiles files = new DumpFiles(filter);
        List<Path> entries = entries(directory);
        if (entries.stream().anyMatch(path -> isData(path) && !isOplog(path))) {
            files.database(directory, entries);
        } else {
            files.root(entries);
        }
        if (files.found.isEmpty() && files.leftOut.isEmpty()) {
            throw new BsonException(
                    directory.toString(), -1, "a directory with .bson files of mongodump", "none in it");
        }
        return files;
    }

    /** A single file, which is wanted whatever its name; its database is its directory's. */
    static DumpFiles ofFile(Path file) throws IOException {
        DumpFiles files = new DumpFiles(new DumpFilter(List.of(), List.of(), true));
        Path directory = file.toAbsolutePath().normalize().getParent();
        files.file(directory == null ? "" : name(directory), file);
        return files;
    }

    private void root(List<Path> entries) throws IOException {
        for (Path entry : entries) {
            if (Files.isDirectory(entry)) {
                database(entry, entries(entry));
            } else if (isOplog(entry)) {
                file("", entry);
            } else if (!name(entry).startsWith("prelude.json")) {
                leftOut.add(new LeftOut(entry.toString(), "no file of a dump"));
            }
        }
    }

    private void database(Path directory, List<Path> entries) throws IOException {
        String database = name(directory.toAbsolutePath().normalize());
        for (Path entry : entries) {
            if (Files.isDirectory(entry)) {
                leftOut.add(new LeftOut(entry.toString(), "a directory where files are expected"));
            } else if (isData(entry)) {
                file(database, entry);
            } else if (name(entry).contains(METADATA)) {
                metadataAlone(database, entry, entries);
            } else if (!name(entry).startsWith("prelude.json")) {
                leftOut.add(new LeftOut(entry.toString(), "no file of a dump"));
            }
        }
    }

    /** Metadata without documents: of a view, or of a time series whose buckets have a file of their own. */
    private void metadataAlone(String database, Path path, List<Path> entries) throws IOException {
        String base = name(path).substring(0, name(path).indexOf(METADATA));
        boolean hasData = entries.stream()
                .anyMatch(each -> DATA.stream().anyMatch(suffix -> name(each).equals(base + suffix)));
        Metadata metadata = hasData ? Metadata.NONE : metadata(path);
        if (metadata.type().equals("view")) {
            leftOut.add(new LeftOut(database + "." + decode(base), "a view"));
        }
    }

    private void file(String database, Path path) throws IOException {
        String base = base(path);
        Metadata metadata = metadataOf(path, base);
        boolean shortened = base.length() == SHORTENED_LENGTH && base.contains("%24");
        if (shortened && metadata.collectionName().isEmpty()) {
            String expected = "a metadata file with the name that mongodump shortened";
            throw new BsonException(path.toString(), -1, expected, "none");
        }
        String collection = shortened ? metadata.collectionName() : decode(base);
        DumpCollection each =
                new DumpCollection(database, collection, metadata.uuid(), path.toString(), Files.size(path));
        String reason = filter.reasonAgainst(database, collection, metadata.type());
        if (!reason.isEmpty()) {
            leftOut.add(new LeftOut(each.namespace(), reason));
        } else if (found.put(each.namespace(), each) != null) {
            throw new BsonException(
                    path.toString(), -1, "one file for each collection", "another for " + each.namespace());
        }
    }

    private static Metadata metadataOf(Path path, String base) throws IOException {
        for (String suffix : List.of(METADATA, METADATA + ".gz")) {
            Path metadata = path.resolveSibling(base + suffix);
            if (Files.isRegularFile(metadata)) {
                return metadata(metadata);
            }
        }
        return Metadata.NONE;
    }

    private static Metadata metadata(Path path) throws IOException {
        try (DumpInput input = DirectoryDump.openFile(path);
                InputStream plain = input.plain()) {
            return Metadata.of(plain.readAllBytes());
        } catch (BsonException e) {
            throw e;
        } catch (IOException e) {
            throw new BsonException(path.toString(), -1, "readable metadata", String.valueOf(e.getMessage()), e);
        }
    }

    /** mongodump escapes names as queries of URLs. A name that is not escaped so is taken as it is. */
    private static String decode(String base) {
        try {
            return URLDecoder.decode(base, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return base;
        }
    }

    private static List<Path> entries(Path directory) throws IOException {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            stream.forEach(entries::add);
        } catch (DirectoryIteratorException | IOException e) {
            throw new BsonException(
                    directory.toString(), -1, "a readable directory", String.valueOf(e.getMessage()), e);
        }
        entries.sort(Comparator.comparing(DumpFiles::name));
        return entries;
    }

    private static boolean isData(Path path) {
        return Files.isRegularFile(path) && !base(path).equals(name(path));
    }

    private static boolean isOplog(Path path) {
        return isData(path) && base(path).equals("oplog");
    }

    /** The file's name without what shows it to be a collection's. */
    private static String base(Path path) {
        String name = name(path);
        for (String suffix : DATA) {
            if (name.endsWith(suffix)) {
                return name.substring(0, name.length() - suffix.length());
            }
        }
        return name;
    }

    private static String name(Path path) {
        Path name = path.getFileName();
        return name == null ? "" : name.toString();
    }
}
