package io.pgstress.cli;

import io.pgstress.extra.suggest.DumpSource;
import io.pgstress.extra.suggest.Suggestion;
import io.pgstress.importer.AbandonableInput;
import io.pgstress.importer.StreamCopies;
import io.pgstress.interrupt.CommandPart;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Group;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import io.pgstress.text.Counted;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ParseResult;

/** {@code stress suggest}: writes operations that resemble those of production. */
final class SuggestCommand extends Command {
    private static final Option<List<String>> DATABASES =
            Option.list("db", "GLOB", Forms::text).help(Group.NONE, "only these databases", "It may be repeated.");

    private static final Option<Optional<String>> COLLECTION = Option.optional("collection", "NAME", Forms::text)
            .help(
                    Group.NONE,
                    "collection (the busiest one)",
                    "The default is the one with the most entries in the profile.");

    private static final Option<Optional<Path>> OUTPUT =
            Option.optional("output", "FILE", Forms::path).help(Group.NONE, "file for the operations (stdout)");

    private static final Option<Boolean> FORCE = Option.flag("force").help(Group.NONE, "replace the file if it exists");

    private static final Option<Boolean> VALUES =
            Option.flag("values").help(Group.NONE, "show examples with their values", "They may be personal data.");

    private static final List<Option<?>> OPTIONS = List.of(DATABASES, COLLECTION, OUTPUT, FORCE, VALUES);

    SuggestCommand(Streams streams) {
        super(streams, Subcommand.SUGGEST, OPTIONS);
        argument("1", "DUMP", "The dump's directory or file; -: standard input.");
    }

    @Override
    int run(ParseResult parsed, Options options, Problems problems) throws Exception {
        Path output = options.get(OUTPUT).orElse(null);
        if (output != null && Files.exists(output) && !options.get(FORCE)) {
            problems.add(OUTPUT, output + " exists; name another file, or replace it with --force");
        }
        problems.throwIfAny();
        streams.interruption().enter(CommandPart.ofThread(Thread.currentThread(), "", "nothing was written"));
        Suggestion suggestion = suggestion(argument(parsed), options);
        String yaml = suggestion.yaml(output == null ? "FILE" : output.toString());
        streams.interruption().enter(CommandPart.uninterruptible("the command to end", "the file is complete"));
        if (output == null) {
            streams.out().print(yaml);
            streams.out().flush();
        } else {
            Files.writeString(output, yaml, StandardCharsets.UTF_8);
            streams.wrote(List.of(output.toString()));
        }
        report(suggestion);
        return suggestion.operations() == 0 ? ExitCode.DATA : ExitCode.DONE;
    }

    private static Suggestion suggestion(String path, Options options) throws IOException, InterruptedException {
        try (StreamCopies copies = StreamCopies.of(List.of(path), new AbandonableInput(() -> System.in))) {
            return Suggestion.of(
                    new DumpSource(path, copies),
                    options.get(DATABASES),
                    options.get(COLLECTION).orElse(""),
                    options.get(VALUES));
        }
    }

    private void report(Suggestion suggestion) {
        if (suggestion.isGuess() && !suggestion.others().isEmpty()) {
            streams.note("the dump has " + (1 + suggestion.others().size())
                    + " collections, and this is the largest one: select another one with --db and --collection");
        } else {
            suggestion
                    .others()
                    .forEach((name, entries) -> streams.note(name + " is not included, with "
                            + Counted.of(entries, "entry") + ": select it with --db and --collection"));
        }
        suggestion.notes().forEach(streams::note);
        streams.note(suggestion.namespace() + ": " + suggestion.counts()
                + (suggestion.isGuess() ? "; there is no profile, so these are guesses from the indexes" : ""));
    }
}
