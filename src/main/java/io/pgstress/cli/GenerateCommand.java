package io.pgstress.cli;

import io.pgstress.bson.key.KeyForm;
import io.pgstress.importer.sample.CopyText;
import io.pgstress.importer.sample.SampleDump;
import io.pgstress.importer.sample.SampleShape;
import io.pgstress.interrupt.Part;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stress generate}: makes a sample dump. */
@Command(
        name = "generate",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Makes a dump in mongodump's layout, the same for the same seed.")
final class GenerateCommand implements Callable<Integer> {
    private final Streams streams;

    @Parameters(paramLabel = "DIR", description = "Where the dump goes: DIR/DB/COLLECTION.bson.gz.")
    private Path directory = Path.of("dump");

    @Option(names = "--shape", description = "small: 43 bytes, int _id; large: about 3 KiB, ObjectId. Default: small.")
    private SampleShape shape = SampleShape.SMALL;

    @Option(names = "--count", paramLabel = "N", description = "Documents. Default: ${DEFAULT-VALUE}.")
    private long count = 20_000;

    @Option(names = "--db", paramLabel = "NAME", description = "Database. Default: ${DEFAULT-VALUE}.")
    private String database = "stress";

    @Option(names = "--collection", paramLabel = "NAME", description = "Collection. Default: ${DEFAULT-VALUE}.")
    private String collection = "check_in";

    @Option(names = "--seed", paramLabel = "N", description = "Seed. Default: ${DEFAULT-VALUE}.")
    private long seed = 1;

    @Option(names = "--no-gzip", description = "Leave the files uncompressed.")
    private boolean plain;

    @Option(
            names = "--copy-text",
            paramLabel = "FILE",
            description = "Also writes the rows, as psql's \\copy reads them.")
    private @Nullable Path copyText;

    GenerateCommand(Streams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() throws Exception {
        long most = shape == SampleShape.SMALL ? Integer.MAX_VALUE : Long.MAX_VALUE;
        if (count < 1 || count > most) {
            streams.err().println("stress: --count: must be 1 to " + most + ", was " + count);
            return ExitCode.USAGE;
        }
        streams.interruption()
                .enter(Part.ofThread(
                        Thread.currentThread(), "", "the unfinished file was deleted; start the command again"));
        Path file = directory.resolve(database).resolve(collection + ".bson" + (plain ? "" : ".gz"));
        long bytes;
        try {
            bytes = new SampleDump(database, collection, shape, count, seed, !plain).write(directory);
        } catch (InterruptedIOException e) {
            delete(file);
            throw e;
        }
        streams.out()
                .printf(
                        Locale.ROOT,
                        "%,d documents, %,d bytes of BSON, %.1f a document: %s%n",
                        count,
                        bytes,
                        (double) bytes / count,
                        file);
        if (copyText != null) {
            try {
                CopyText.write(file, shape == SampleShape.SMALL ? KeyForm.INT : KeyForm.TEXT, copyText);
            } catch (InterruptedException | InterruptedIOException e) {
                delete(copyText);
                throw e;
            }
        }
        streams.interruption().enter(Part.uninterruptible("the command to end", "the dump is complete"));
        return ExitCode.DONE;
    }

    /** A file that ends in the middle of a document must not pass for a dump. */
    private static void delete(Path file) throws IOException {
        boolean unused = Thread.interrupted();
        Files.deleteIfExists(file);
    }
}
