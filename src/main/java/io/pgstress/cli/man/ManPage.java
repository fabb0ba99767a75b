package io.pgstress.cli.man;

import static io.pgstress.cli.man.Roff.bold;
import static io.pgstress.cli.man.Roff.italic;

import io.pgstress.cli.complete.CommandEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The man page of one command. */
final class ManPage {
    private final CommandEntry command;
    private final List<CommandEntry> all;
    private final String version;
    private final Roff roff = new Roff();

    ManPage(CommandEntry command, List<CommandEntry> all, String version) {
        this.command = command;
        this.all = all;
        this.version = version;
    }

    /** The page in the language of man(7). */
    String text() {
        String name = ManPages.name(command);
        roff.request("TH", name.toUpperCase(Locale.ROOT), "1", "", "pgstress " + version, "pgstress");
        roff.request("nh").request("ad l"); // names of options are not hyphenated
        roff.request("SH", "NAME").raw(Roff.escaped(name) + " \\- " + Roff.escaped(decapitalized(command.summary())));
        synopsis();
        roff.request("SH", "DESCRIPTION");
        String[] paragraphs = command.spec().usageMessage().description();
        for (int i = 0; i < paragraphs.length; i++) {
            (i == 0 ? roff : roff.request("PP")).text(CommandEntry.plain(paragraphs[i]));
        }
        options();
        subcommands();
        Footer.of(command.spec()).sections().forEach(this::section);
        entries("ENVIRONMENT", Surroundings.environment(command.spec()));
        entries("FILES", Surroundings.files(command.spec()));
        examples();
        seeAlso();
        return roff.toString();
    }

    private static String decapitalized(String text) {
        return text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1);
    }

    private void synopsis() {
        List<String> words = new ArrayList<>(List.of(bold(("stress " + command.path()).strip())));
        words.add("[" + italic("OPTIONS") + "]");
        for (PositionalParamSpec argument : command.spec().positionalParameters()) {
            words.add(label(argument));
        }
        if (!command.subcommands().isEmpty()) {
            words.add("[" + italic("COMMAND") + "]");
        }
        roff.request("SH", "SYNOPSIS").raw(String.join(" ", words));
    }

    private static String label(PositionalParamSpec argument) {
        String label = italic(argument.paramLabel()) + (argument.arity().max() > 1 ? " ..." : "");
        return argument.required() ? label : "[" + label + "]";
    }

    private void options() {
        List<PositionalParamSpec> arguments = command.spec().positionalParameters();
        if (!arguments.isEmpty()) {
            roff.request("SH", "ARGUMENTS");
            arguments.forEach(each -> roff.entry(label(each), CommandEntry.plain(each.description())));
        }
        roff.request("SH", "OPTIONS");
        List<OptionSpec> grouped = command.spec().argGroups().stream()
                .flatMap(group -> group.options().stream())
                .toList();
        command.options().stream().filter(each -> !grouped.contains(each)).forEach(this::option);
        for (ArgGroupSpec group : command.spec().argGroups()) {
            List<OptionSpec> listed =
                    group.options().stream().filter(each -> !each.hidden()).toList();
            if (!listed.isEmpty()) {
                roff.request("SS", CommandEntry.plain(group.heading()).strip().replaceFirst(":$", ""));
                listed.forEach(this::option);
            }
        }
    }

    private void option(OptionSpec option) {
        boolean isFlag = option.arity().max() == 0;
        String names = Stream.of(option.names())
                .map(name ->
                        bold(name) + (isFlag ? "" : (name.startsWith("--") ? "=" : " ") + italic(option.paramLabel())))
                .collect(Collectors.joining(", "));
        roff.entry(names, CommandEntry.plain(option.description()));
    }

    private void subcommands() {
        List<CommandEntry> below = command.subcommands();
        if (!below.isEmpty()) {
            roff.request("SH", "COMMANDS");
            below.forEach(each -> roff.entry(
                    bold(ManPages.name(each)) + "(1)",
                    CommandEntry.plain(each.spec().usageMessage().description()[0])));
        }
    }

    private void section(Footer.Section section) {
        roff.request("SH", section.title().toUpperCase(Locale.ROOT));
        section.entries().forEach((tag, text) -> roff.entry(bold(tag), text));
    }

    private void entries(String title, List<Surroundings.Entry> entries) {
        if (!entries.isEmpty()) {
            roff.request("SH", title);
            entries.forEach(each -> roff.entry(italic(each.name()), each.description()));
        }
    }

    private void examples() {
        List<Examples.Example> examples = Examples.of(command.path());
        if (!examples.isEmpty()) {
            roff.request("SH", "EXAMPLES");
            examples.forEach(each -> {
                roff.request("TP").raw(Roff.escaped(each.purpose()) + ":").request("nf");
                roff.raw(Roff.escaped(each.lines())).request("fi");
            });
        }
    }

    private void seeAlso() {
        roff.request("SH", "SEE ALSO")
                .raw(all.stream()
                        .filter(each -> !each.path().equals(command.path()))
                        .map(each -> bold(ManPages.name(each)) + "(1)")
                        .collect(Collectors.joining(",\n")));
    }
}
