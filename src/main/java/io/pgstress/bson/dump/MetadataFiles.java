package io.pgstress.bson.dump;

import io.pgstress.bson.BsonException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The {@code .metadata.json} files beside files of documents; those of a time series bear its name, and its buckets do not. */
final class MetadataFiles {
    private MetadataFiles() {}

    /** The metadata of a file of documents; {@link Metadata#NONE} if there are none. */
    static Metadata of(Path documents) throws IOException {
        for (Path metadata : candidates(documents)) {
            if (Files.isRegularFile(metadata)) {
                return read(metadata);
            }
        }
        return Metadata.NONE;
    }

    /** Whether there are metadata beside the file of documents, which itself may be missing. */
    static boolean exist(Path documents) {
        return candidates(documents).stream().anyMatch(Files::isRegularFile);
    }

    private static List<Path> candidates(Path documents) {
        List<Path> own = beside(documents, FileNames.base(documents));
        String base = FileNames.base(documents);
        return base.startsWith(DumpFilter.BUCKETS)
                ? Stream.concat(own.stream(), beside(documents, base.substring(DumpFilter.BUCKETS.length())).stream())
                        .toList()
                : own;
    }

    private static List<Path> beside(Path documents, String base) {
        String name = base + FileNames.METADATA;
        return FileNames.COMPRESSIONS.stream()
                .map(suffix -> documents.resolveSibling(name + suffix))
                .toList();
    }

    static Metadata read(Path path) throws IOException {
        try (DumpInput input = DumpInput.open(path)) {
            return Metadata.of(input.readAll());
        } catch (BsonException e) {
            throw e;
        } catch (IOException e) {
            throw new BsonException(path.toString(), -1, "readable metadata", String.valueOf(e.getMessage()), e);
        }
    }
}
