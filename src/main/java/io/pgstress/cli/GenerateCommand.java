package io.pgstress.cli;

import io.pgstress.bson.json.KeyForm;
import io.pgstress.importer.SampleDump;
import io.pgstress.importer.SampleDump.CopyText;
import io.pgstress.importer.SampleDump.SampleShape;
import io.pgstress.interrupt.CommandPart;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Group;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import io.pgstress.text.Counted;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import picocli.CommandLine.ParseResult;

/** {@code stress generate}: writes a sample dump. */
final class GenerateCommand extends Command {
    private static final Option<SampleShape> SHAPE = Option.of("shape", "KIND", Forms.choice(SampleShape.class))
            .byDefault("small")
            .help(Group.NONE, "small or large documents", "small: 43 bytes, int _id. large: about 3 KiB, ObjectId.");

    private static final Pattern DATABASE_NAME = Pattern.compile("[^/\\\\.\"$*<>:|?\\s\\p{Cntrl}]{1,63}");

    private static final Option<Long> COUNT = Option.of("count", "N", Forms.whole(1, Long.MAX_VALUE))
            .byDefault("20000")
            .refusedIf(GenerateCommand::count)
            .help(Group.NONE, "number of documents");

    private static final Option<String> DATABASE = Option.of("db", "NAME", GenerateCommand::databaseName)
            .byDefault("stress")
            .help(Group.NONE, "database");

    private static final Option<String> COLLECTION = Option.of("collection", "NAME", GenerateCommand::collectionName)
            .byDefault("check_in")
            .help(Group.NONE, "collection");

    private static final Option<Long> SEED = Option.of("seed", "N", Forms.whole(Long.MIN_VALUE, Long.MAX_VALUE))
            .byDefault("1")
            .help(Group.NONE, "seed; the same seed makes the same dump");

    private static final Option<Boolean> NO_GZIP =
            Option.flag("no-gzip").help(Group.NONE, "leave the files uncompressed");

    private static final Option<Boolean> PROFILE = Option.flag("profile")
            .help(Group.NONE, "also write a made-up system.profile", "It has queries and updates of these documents.");

    private static final Option<Optional<Path>> COPY_TEXT = Option.optional("copy-text", "FILE", Forms::path)
            .help(Group.NONE, "also write the rows, as for psql's \\copy");

    private static final List<Option<?>> OPTIONS =
            List.of(SHAPE, COUNT, DATABASE, COLLECTION, SEED, NO_GZIP, PROFILE, COPY_TEXT);

    GenerateCommand(Streams streams) {
        super(streams, Subcommand.GENERATE, OPTIONS);
        argument("1", "DIR", "Where the dump goes: DIR/DB/COLLECTION.bson.gz.");
    }

    /** What MongoDB allows on every platform, so that it is also the name of a folder (MongoDB's manual, "Naming Restrictions"). */
    private static String databaseName(String text) {
        if (!DATABASE_NAME.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "must be the name of a MongoDB database: 1 to 63 characters without / \\ . \" $ * < > : | ? and spaces");
        }
        return text;
    }

    private static String collectionName(String text) {
        if (text.isEmpty() || text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("must be the name of a MongoDB collection, which is not empty");
        }
        return text;
    }

    private static String count(Options o) {
        return o.get(SHAPE) == SampleShape.SMALL && o.get(COUNT) > Integer.MAX_VALUE
                ? "must be 1 to " + Integer.MAX_VALUE + " for documents with an int _id, was " + o.get(COUNT)
                : "";
    }

    @Override
    int run(ParseResult parsed, Options options, Problems problems) throws Exception {
        problems.throwIfAny();
        Path directory = Forms.path(argument(parsed));
        SampleShape shape = options.get(SHAPE);
        String database = options.get(DATABASE);
        String collection = options.get(COLLECTION);
        long count = options.get(COUNT);
        boolean plain = options.get(NO_GZIP);
        streams.interruption()
                .enter(CommandPart.ofThread(
                        Thread.currentThread(), "", "the unfinished file was deleted; run the command again"));
        SampleDump dump = new SampleDump(database, collection, shape, count, options.get(SEED), !plain);
        Path file = dump.file(directory);
        long bytes;
        try {
            bytes = dump.write(directory);
        } catch (FileSystemException e) {
            throw e; // it was not written to
        } catch (IOException e) {
            delete(file);
            throw of(file, e);
        }
        streams.out()
                .printf(
                        Locale.ROOT,
                        "%s, %,d bytes of BSON, %.1f a document: %s%n",
                        Counted.of(count, "document"),
                        bytes,
                        (double) bytes / count,
                        file);
        if (options.get(PROFILE)) {
            dump.writeProfile(directory);
        }
        Path copyText = options.get(COPY_TEXT).orElse(null);
        if (copyText != null) {
            try {
                CopyText.write(file, shape == SampleShape.SMALL ? KeyForm.INT : KeyForm.TEXT, copyText);
                streams.wrote(List.of(copyText.toString()));
            } catch (FileSystemException e) {
                throw e;
            } catch (IOException e) {
                delete(copyText);
                throw of(copyText, e);
            } catch (InterruptedException e) {
                delete(copyText);
                throw e;
            }
        }
        streams.interruption().enter(CommandPart.uninterruptible("the command to end", "the dump is complete"));
        return ExitCode.DONE;
    }

    /** What failed to be written; only exceptions of files name one. */
    private static IOException of(Path file, IOException e) {
        return e instanceof InterruptedIOException ? e : new FileSystemException(file.toString(), null, e.getMessage());
    }

    /** Deletes an unfinished file, which could be mistaken for a dump. */
    private static void delete(Path file) throws IOException {
        boolean unused = Thread.interrupted();
        if (Files.isRegularFile(file)) { // and no device or pipe
            Files.delete(file);
        }
    }
}
