package io.pgstress.bson.dump;

import io.pgstress.bson.BsonException;
import io.pgstress.text.Json;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;

/** The names of a dump's files, as mongodump escapes them. */
public final class FileNames {
    /** Suffix of a metadata file after the collection's name; {@code .gz} or {@code .zst} may follow. */
    static final String METADATA = ".metadata.json";

    /** Suffixes of compressed files, and of files that are not. */
    static final List<String> COMPRESSIONS = List.of("", ".gz", ".zst");

    private static final List<String> BSON = List.of(".bson", ".bson.gz", ".bson.zst", ".bin");

    /** Suffixes of files of mongoexport; those in {@link #COMPRESSIONS} may follow. */
    private static final List<String> JSON = List.of(".json", ".jsonl", ".ndjson");

    /** Files in JSON that mongodump and imports write, and that are no collections. */
    private static final List<String> OTHER_JSON = List.of(METADATA, ".rejects.json");

    /** Mongodump writes the versions of server and tool into a file of this name. */
    private static final String PRELUDE = "prelude.json";

    private static final Set<String> FIELDS_OF_PRELUDE = Set.of("ServerVersion", "ToolVersion");
    private static final int MAX_PRELUDE = 4096;

    /**
     * Length to which mongodump shortens a file name: 208 bytes of the name, %24, 27 of a hash. The metadata have the full
     * name.
     */
    private static final int SHORTENED_LENGTH = 238;

    private static final int SHORTENED_NAME = 208;
    private static final String HASH_FOLLOWS = "%24";

    private FileNames() {}

    private static boolean isShortened(String base) {
        return base.length() == SHORTENED_LENGTH && base.contains(HASH_FOLLOWS);
    }

    /**
     * The name of a collection's files without their suffixes, as mongodump writes it: escaped like a URL query, and shortened if it
     * would be too long for a file system. It never leads to another folder.
     */
    public static String encode(String collection) {
        String escaped = URLEncoder.encode(collection, StandardCharsets.UTF_8)
                .replace("*", "%2A")
                .replace("%7E", "~");
        if (escaped.length() <= SHORTENED_LENGTH) {
            return escaped;
        }
        try {
            byte[] hash = MessageDigest.getInstance("SHA-1").digest(collection.getBytes(StandardCharsets.UTF_8));
            return escaped.substring(0, SHORTENED_NAME)
                    + HASH_FOLLOWS
                    + Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }

    /** Decodes a name, which mongodump escapes like a URL query; returns any other name unchanged. */
    static String decode(String base) {
        try {
            return URLDecoder.decode(base, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return base;
        }
    }

    /** The collection whose documents are in this file. */
    static String collection(Path path, Metadata metadata) throws BsonException {
        String base = base(path);
        if (!isShortened(base)
                || base.startsWith(DumpFilter.BUCKETS)) { // the metadata of buckets bear the series' name
            return decode(base);
        }
        if (metadata.collectionName().isEmpty()) {
            String expected = "a metadata file with the full name, which mongodump shortened";
            throw new BsonException(path.toString(), -1, expected, "none");
        }
        return metadata.collectionName();
    }

    /** Whether macOS puts such a file or directory beside others, in archives and on file systems of others. */
    static boolean isOfMacOs(Path path) {
        return name(path).startsWith("._")
                || name(path).equals(".DS_Store")
                || name(path).equals("__MACOSX");
    }

    /** Whether a file has the name of a collection's documents. */
    static boolean isData(Path path) {
        return Files.isRegularFile(path)
                && !isOfMacOs(path)
                && !suffix(name(path)).isEmpty()
                && !isPrelude(path);
    }

    /** Whether it has the name that mongodump gives to a collection's documents. */
    static boolean isBson(Path path) {
        return isData(path) && BSON.contains(suffix(name(path)));
    }

    /** The files of a collection's documents in a directory; of a valid dump there is at most one. */
    static List<Path> ofCollection(Path directory, String base) {
        List<String> names = new ArrayList<>(BSON);
        JSON.forEach(json -> COMPRESSIONS.forEach(compression -> names.add(json + compression)));
        return names.stream()
                .map(suffix -> directory.resolve(base + suffix))
                .filter(FileNames::isData)
                .toList();
    }

    static boolean isMetadata(Path path) {
        return Files.isRegularFile(path)
                && !isOfMacOs(path)
                && COMPRESSIONS.stream().anyMatch(suffix -> name(path).endsWith(METADATA + suffix));
    }

    /** Whether a file has the name of JSON that belongs to documents and has none itself. */
    static boolean isOtherJson(Path path) {
        return isOtherJson(name(path)) || isPrelude(path);
    }

    /** Whether it is mongodump's file of versions. A collection of its name may have been exported, too. */
    static boolean isPrelude(Path path) {
        if (!plain(name(path)).equals(PRELUDE) || !Files.isRegularFile(path)) {
            return false;
        }
        try (DumpInput input = DumpInput.open(path)) {
            String text = new String(input.readAll(MAX_PRELUDE), StandardCharsets.UTF_8);
            return Json.readBeginning(text).keySet().equals(FIELDS_OF_PRELUDE);
        } catch (IOException e) {
            return false; // too large or unreadable; the error appears when its documents are read
        }
    }

    private static boolean isOtherJson(String name) {
        return OTHER_JSON.stream().anyMatch(plain(name)::endsWith);
    }

    /** The name without the suffix of a compression. */
    private static String plain(String name) {
        return name.substring(0, name.length() - compression(name).length());
    }

    /** Whether it has the name of a compressed file of documents. */
    static boolean isCompressedData(Path path) {
        return !suffix(name(path)).isEmpty() && !compression(name(path)).isEmpty();
    }

    /** The suffix of a compressed file's name; an empty string for any other name. */
    static String compression(String name) {
        return COMPRESSIONS.stream()
                .filter(suffix -> !suffix.isEmpty() && name.endsWith(suffix))
                .findFirst()
                .orElse("");
    }

    static boolean isOplog(Path path) {
        return isData(path) && base(path).equals("oplog");
    }

    /** The file's name without its suffix. */
    static String base(Path path) {
        String name = name(path);
        return name.substring(0, name.length() - suffix(name).length());
    }

    /** The suffix of a name of documents, with that of a compression; empty for any other name. */
    private static String suffix(String name) {
        for (String suffix : BSON) {
            if (name.endsWith(suffix)) {
                return suffix;
            }
        }
        for (String suffix : JSON) {
            if (plain(name).endsWith(suffix) && !isOtherJson(name)) {
                return suffix + compression(name);
            }
        }
        return "";
    }

    static String name(Path path) {
        Path name = path.getFileName();
        return name == null ? "" : name.toString();
    }
}
