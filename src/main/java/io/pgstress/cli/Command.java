package io.pgstress.cli;

import io.pgstress.interrupt.Interruption;
import io.pgstress.plan.Endpoint;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Group;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import io.pgstress.plan.server.ServerEnvironment;
import io.pgstress.plan.server.ServerNames;
import io.pgstress.plan.server.ServerOptions;
import io.pgstress.report.format.Style;
import io.pgstress.report.live.Terminal;
import io.pgstress.session.CommandSession;
import io.pgstress.target.dialect.Dialects;
import io.pgstress.target.driver.PasswordPrompt;
import io.pgstress.text.Quoting;
import io.pgstress.text.Secrets;
import java.io.Console;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** A command: declares its options to picocli when it is created, reads them, and runs. */
abstract class Command implements Callable<Integer> {
    /** Finds out which servers options name, with this process's environment. */
    static final ServerNames SERVERS = new ServerNames(ServerEnvironment.own());

    /** {@link #onTerminal} looks for it before the command line is parsed. */
    private static final Option<Style.When> COLOR = Option.of("color", "WHEN", Forms.choice(Style.When.class))
            .byDefault("auto")
            .help(Group.NONE, "auto (on a terminal), always or never", "Colors errors, warnings and validity.");

    /** {@link Main} looks for it before the command line is parsed. */
    static final Option<Boolean> VERBOSE = Option.flag("verbose").help(Group.REPORTS, "show where an error came from");

    /** The option of the commands that show progress. */
    private static final String QUIET = "--quiet";

    /** The program's name. */
    static final String PROGRAM = "stress";

    /** The only section of the help, as picocli sees it. */
    private static final String HELP = "help";

    final Streams streams;
    final CommandSpec spec = CommandSpec.wrapWithoutInspection(this);
    private final List<Option<?>> own;
    private final List<Option<?>> declared = new ArrayList<>();
    private final List<Option<?>> listed = new ArrayList<>();
    private final @Nullable FirstScreen firstScreen;

    /**
     * A command.
     *
     * @param firstScreen what its help shows at first; null: the whole help
     * @param own options that {@link #run} gets as values. The subclass declares them to picocli, with others that it adds.
     */
    Command(Streams streams, String name, String description, @Nullable FirstScreen firstScreen, List<Option<?>> own) {
        this.streams = streams;
        this.firstScreen = firstScreen;
        this.own = own;
        spec.name(name)
                .usageMessage()
                .description(description)
                .sectionKeys(List.of(HELP))
                .sectionMap()
                .put(HELP, help -> HelpText.of(spec, listed(), users(), firstScreen != null));
        spec.versionProvider(Version::lines);
        spec.addOption(flag("this help", "-h", "--help").usageHelp(true).build());
        spec.addOption(flag("version", "-V", "--version").versionHelp(true).build());
        declare(List.of(COLOR));
    }

    /** Makes the help one screen with the most used options, if it is longer. */
    final void shortenHelp() {
        FirstScreen first = firstScreen;
        if (first != null) {
            spec.usageMessage().sectionMap().put(HELP, help -> HelpText.of(spec, first, declared));
        }
    }

    /** Declares options that the help lists, unless they are hidden. */
    final void declare(List<Option<?>> options) {
        declareUnlisted(options);
        options.stream().filter(option -> !option.isHidden()).forEach(listed::add);
    }

    /** Declares options to picocli. */
    final void declareUnlisted(List<Option<?>> options) {
        declared.addAll(options);
        for (Option<?> option : options) {
            spec.addOption(picocli(option).hidden(option.isHidden()).build());
        }
    }

    private static OptionSpec.Builder picocli(Option<?> option) {
        String longName = "--" + option.name();
        OptionSpec.Builder spec = option.letter().isEmpty()
                ? OptionSpec.builder(longName)
                : OptionSpec.builder("-" + option.letter(), longName);
        if (option.isFlag()) {
            return spec.type(boolean.class).arity("0");
        }
        spec.paramLabel(option.label()).arity("1").completionCandidates(option.words());
        return option.repeats() ? spec.type(List.class).auxiliaryTypes(String.class) : spec.type(String.class);
    }

    /** The texts of the options that were given, by name; a flag's is {@code true}. */
    static Map<String, List<String>> given(ParseResult parsed, List<Option<?>> options) {
        Map<String, List<String>> given = new LinkedHashMap<>();
        for (Option<?> option : options) {
            String name = "--" + option.name();
            if (parsed.hasMatchedOption(name)) {
                List<String> texts = parsed.matchedOption(name).stringValues();
                given.put(option.name(), texts.isEmpty() ? List.of("true") : List.copyOf(texts));
            }
        }
        return given;
    }

    /** The options that the help lists, in its order within each group. */
    final List<Option<?>> listed() {
        return List.copyOf(listed);
    }

    /** By option, the operations that use it. Options of every operation are missing. */
    Map<Option<?>, List<String>> users() {
        return Map.of();
    }

    /** The streams of a process, in the style that suits what they lead to and that the arguments ask for. */
    static Streams onTerminal(Streams plain, Interruption interruption, List<String> args) {
        Map<String, String> environment = System.getenv();
        Style.When when = Style.When.named(rawColor(args));
        boolean isTerminal = Terminal.isStdout(environment);
        boolean isErrTerminal = Terminal.stderr(environment).isTerminal();
        return new Streams(
                plain.out(),
                plain.err(),
                interruption,
                Style.of(when, isTerminal, environment),
                Style.of(when, isErrTerminal, environment),
                () -> isTerminal ? Terminal.stdoutColumns(environment) : Integer.MAX_VALUE,
                () -> isErrTerminal ? Terminal.stderrWithWidth(environment).columns() : Integer.MAX_VALUE,
                isTerminal && Terminal.isStdin(environment) ? new TerminalPasswords() : PasswordPrompt.NONE);
    }

    /** Asks on the process's terminal, each role once. */
    private static final class TerminalPasswords implements PasswordPrompt {
        private final Map<String, Optional<String>> byRole = new HashMap<>();

        @Override
        public synchronized @Nullable String password(String role) {
            return byRole.computeIfAbsent(role, TerminalPasswords::ask).orElse(null);
        }

        @SuppressWarnings("SystemConsoleNull") // before JDK 22, it may be null
        private static Optional<String> ask(String role) {
            Console console = System.console();
            return Optional.ofNullable(console == null ? null : console.readPassword("Password for role %s: ", role))
                    .map(String::new);
        }
    }

    private static String rawColor(List<String> args) {
        int at = args.indexOf(COLOR.toString());
        return at >= 0 && at + 1 < args.size()
                ? args.get(at + 1)
                : args.stream()
                        .filter(each -> each.startsWith(COLOR + "="))
                        .map(each -> each.substring(COLOR.toString().length() + 1))
                        .findFirst()
                        .orElse("");
    }

    /** A command that has only these options, and declares them. */
    Command(Streams streams, Subcommand which, List<Option<?>> own) {
        this(streams, which.label(), which.description(), which.firstScreen(), own);
        declare(own);
    }

    /** As picocli's own standard options, whose declaration by annotations takes 15 ms to read. */
    static OptionSpec.Builder flag(String description, String... names) {
        return OptionSpec.builder(names).arity("0").type(boolean.class).description(description);
    }

    /**
     * Declares the command's argument that is not an option.
     *
     * @param arity the number of values, as picocli writes it: {@code 0..1}
     */
    final void argument(String arity, String label, String description) {
        PositionalParamSpec.Builder argument =
                PositionalParamSpec.builder().arity(arity).required(arity.startsWith("1"));
        spec.addPositional((arity.endsWith("*")
                        ? argument.type(List.class).auxiliaryTypes(String.class)
                        : argument.type(String.class))
                .paramLabel(label)
                .description(description)
                .build());
    }

    @Override
    public final Integer call() throws Exception {
        ParseResult parsed = spec.commandLine().getParseResult();
        Problems problems = new Problems();
        Options unused = Options.read(List.of(COLOR), given(parsed, List.of(COLOR)), Map.of(), problems);
        Map<String, List<String>> given = given(parsed, own);
        boolean namesServers = own.contains(ServerOptions.HOST);
        Map<String, List<String>> known = namesServers ? SERVERS.resolved(given, problems) : given;
        return run(parsed, Options.read(own, known, Map.of(), problems), problems);
    }

    /**
     * Runs the command.
     *
     * @param options the values of its own options
     * @param problems what is wrong with them; the command adds what else is wrong
     * @return the exit code
     */
    abstract int run(ParseResult parsed, Options options, Problems problems) throws Exception;

    /** Ends a command whose options are valid, because the launcher only asked that before it makes a start-up cache. */
    static final class ValidOptionsException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /**
     * Commands call it when their options are valid, before they do anything that takes time.
     *
     * @throws ValidOptionsException if the launcher asked only whether the options are valid
     */
    static void endIfOnlyChecked() {
        if (System.getenv("PGSTRESS_CHECK") != null) {
            throw new ValidOptionsException();
        }
    }

    /** {@link #endIfOnlyChecked()}, and {@link #tellServer(ParseResult, List)} unless the command starts the server: the result names that. */
    final void tellServer(ParseResult parsed, RunSpec spec) {
        endIfOnlyChecked();
        if (!spec.endpoints().isEmpty() || spec.server().isEmbedded()) {
            tellServer(parsed, spec.endpoints());
        }
    }

    /**
     * Names the server if the command line does not spell it out: an environment variable or a default decided it. That the embedded one
     * starts is progress, unless the environment could mean another one.
     *
     * @param endpoints empty: the embedded server
     */
    final void tellServer(ParseResult parsed, List<Endpoint> endpoints) {
        Map<String, List<String>> given = given(parsed, ServerOptions.ALL);
        boolean isSpeltOut = parsed.hasMatchedOption("--url") || parsed.hasMatchedOption("--hosts");
        if (endpoints.isEmpty()) {
            if (SERVERS.couldMeanAnother() || !parsed.hasMatchedOption(QUIET)) {
                streams.note(SERVERS.noteOnEmbedded());
            }
        } else if (!isSpeltOut
                && (!given.isEmpty()
                        || parsed.hasMatchedOption("--user")
                        || !SERVERS.selectedBy(given).isEmpty())) {
            streams.note("server: " + endpoints.stream().map(Endpoint::masked).collect(Collectors.joining(", ")));
        }
    }

    /** Opens the server for a command that reads files first. Mistakes in those are reported before the server is named. */
    final CommandSession opened(ParseResult parsed, List<Endpoint> endpoints, String kept) {
        tellServer(parsed, endpoints);
        return CommandSession.open(endpoints, streams.interruption(), kept, streams::note);
    }

    /** The command line that was given, without secrets. */
    static List<String> argv(ParseResult parsed) {
        return Argv.masked(parsed.originalArgs());
    }

    /** The arguments that are not options. */
    static List<String> arguments(ParseResult parsed) {
        return parsed.matchedPositionalValue(0, List.of());
    }

    /** The argument that is not an option; an empty string if it was not given. */
    static String argument(ParseResult parsed) {
        return parsed.matchedPositionalValue(0, "");
    }

    /** Command lines as users type them. */
    public static final class Argv {
        private static final String COMMAND = "--" + ServerOptions.PASSWORD_COMMAND_NAME;

        private Argv() {}

        /** A command for a POSIX shell that runs this program, called as the user called it, with these arguments. */
        static String command(List<String> arguments) {
            String launcher = System.getenv().getOrDefault("PGSTRESS_COMMAND", PROGRAM);
            return Stream.concat(Stream.of(launcher), arguments.stream())
                    .map(Quoting::shellWord)
                    .collect(Collectors.joining(" "));
        }

        /**
         * The options that name a server.
         *
         * @param servers empty: the embedded one
         * @param user the role, unless the URLs name it
         */
        static List<String> server(List<Endpoint> servers, Optional<String> user, String target) {
            List<String> words = new ArrayList<>();
            servers.forEach(server -> words.addAll(List.of("--url", server.withoutSecrets())));
            user.filter(name -> !isInUrls(name, servers)).ifPresent(name -> words.addAll(List.of("--user", name)));
            if (!target.equals(Dialects.AUTO)) {
                words.addAll(List.of("--target", target));
            }
            return words;
        }

        private static boolean isInUrls(String user, List<Endpoint> servers) {
            Pattern parameter = Pattern.compile(
                    "[?&]user=" + Pattern.quote(URLEncoder.encode(user, StandardCharsets.UTF_8)) + "(&|$)");
            return servers.stream()
                    .allMatch(
                            server -> parameter.matcher(server.withoutSecrets()).find());
        }

        /** The arguments without their secrets. */
        public static List<String> masked(List<String> argv) {
            List<String> words = new ArrayList<>(argv);
            for (int i = 1; i < words.size(); i++) {
                if (words.get(i - 1).equals(COMMAND)) {
                    words.set(i, "***");
                }
            }
            return words.stream()
                    .map(a -> a.startsWith(COMMAND + "=") ? COMMAND + "=***" : a)
                    .map(Secrets::masked)
                    .toList();
        }
    }
}
