package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks the documentation against the files and options that it names. */
final class DocsTest {
    /** The option of the example operation in CONTRIBUTING, which only its test compiles. */
    private static final String OF_THE_EXAMPLE = "--page-rows";

    private static final Pattern PAGE = Pattern.compile("docs/[\\w/-]+\\.md");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--[a-z][a-z-]*");
    private static final Pattern COMMAND = Pattern.compile("\\./stress (.*)");
    private static final Set<String> COMMANDS = Set.of(
            "compare",
            "tune",
            "import",
            "diff",
            "generate",
            "suggest",
            "explain",
            "agent",
            "agent keys",
            "settings",
            "operations",
            "report",
            "completion");

    private final Map<String, Set<String>> options = new HashMap<>();

    @Test
    void everyLinkHasATarget() {
        List<String> broken = new ArrayList<>();
        for (Path page : pages()) {
            for (String link : links(page)) {
                String[] parts = link.split("#", 2);
                Path target = parts[0].isEmpty() ? page : beside(page, parts[0]);
                if (!Files.exists(target)) {
                    broken.add(page + ": " + link);
                } else if (parts.length > 1 && !anchors(target).contains(parts[1])) {
                    broken.add(page + ": " + link + " (no such heading)");
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void everyPageNamedInTheSourcesExists() throws IOException {
        Set<String> missing = new TreeSet<>();
        int named = 0;
        for (String directory : List.of("src/main/java", "bench", "config")) {
            try (Stream<Path> files = Files.walk(Path.of(directory))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    Matcher m = PAGE.matcher(String.join("\n", lines(file)));
                    while (m.find()) {
                        named++;
                        if (!Files.exists(Path.of(m.group()))) {
                            missing.add(file + ": " + m.group());
                        }
                    }
                }
            }
        }
        assertThat(named).isPositive();
        assertThat(missing).isEmpty();
    }

    @Test
    void everyPageCanBeReachedFromTheReadme() {
        Set<Path> reached = new TreeSet<>();
        Deque<Path> waiting = new ArrayDeque<>(List.of(Path.of("README.md")));
        while (!waiting.isEmpty()) {
            Path page = waiting.pop();
            if (reached.add(page) && page.toString().endsWith(".md")) {
                links(page).stream()
                        .map(link -> beside(page, link.split("#", 2)[0]))
                        .filter(Files::isRegularFile)
                        .forEach(waiting::add);
            }
        }
        assertThat(pages().stream().filter(p -> !p.startsWith("docs/adr"))).allMatch(reached::contains);
    }

    @Test
    void listOfOptionsIsComplete() {
        Set<String> described = optionsIn(String.join("\n", lines(Path.of("docs/options.md"))));
        Set<String> all = new TreeSet<>(help(""));
        COMMANDS.forEach(command -> all.addAll(help(command)));
        assertThat(described).containsAll(all);
        assertThat(all).containsAll(described);
    }

    /** Commands in pages and in comments of scenarios use only options that the command has. */
    @Test
    void commandsInPagesUseExistingOptions() throws IOException {
        List<String> unknown = new ArrayList<>();
        Collection<Path> files = pages();
        try (Stream<Path> scenarios = Files.walk(Path.of("config"))) {
            scenarios.filter(p -> p.toString().endsWith(".yaml")).forEach(files::add);
        }
        int commands = 0;
        for (Path file : files) {
            Matcher m = COMMAND.matcher(String.join("\n", lines(file)).replaceAll("\\\\\\s+(#\\s*)?", " "));
            while (m.find()) {
                commands++;
                String line = m.group(1).replaceAll("`.*|\\s#.*", "");
                Set<String> known = help(command(line));
                optionsIn(line).stream()
                        .filter(o -> !known.contains(o) && !o.equals(OF_THE_EXAMPLE))
                        .forEach(o -> unknown.add(file + ": ./stress " + line + ": " + o));
            }
        }
        assertThat(commands).isPositive();
        assertThat(unknown).isEmpty();
    }

    /** The subcommand that a line begins with; empty: a run. */
    private static String command(String line) {
        return COMMANDS.stream()
                .filter(c -> (line + " ").startsWith(c + " "))
                .max(Comparator.comparing(String::length))
                .orElse("");
    }

    private Set<String> help(String command) {
        return options.computeIfAbsent(command, c -> {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
            String[] args = (c.isEmpty() ? "--help-all" : c + " --help").split(" ");
            assertThat(Main.run(new Streams(stream, stream), args)).isZero();
            return out.toString(StandardCharsets.UTF_8)
                    .lines()
                    .filter(l -> l.matches("\\s+(-\\w, )?--.*"))
                    .map(l -> OPTION.matcher(l)
                            .results()
                            .findFirst()
                            .orElseThrow()
                            .group())
                    .collect(Collectors.toCollection(TreeSet::new));
        });
    }

    private static Set<String> optionsIn(String text) {
        return OPTION.matcher(text).results().map(r -> r.group()).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Collection<Path> pages() {
        Collection<Path> pages = new TreeSet<>();
        for (String directory : List.of("", "docs", "docs/settings", "docs/adr", "datasets")) {
            try (Stream<Path> files = Files.list(Path.of(directory))) {
                files.filter(p -> p.toString().endsWith(".md"))
                        .map(Path::normalize)
                        .forEach(pages::add);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return pages;
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path beside(Path page, String link) {
        return page.resolveSibling(link).normalize();
    }

    private static List<String> links(Path page) {
        return LINK.matcher(String.join("\n", lines(page)))
                .results()
                .map(r -> r.group(1))
                .filter(link -> !link.contains("://"))
                .toList();
    }

    /** The anchors that GitHub creates for headings. */
    private static Set<String> anchors(Path page) {
        return lines(page).stream()
                .filter(l -> l.startsWith("#"))
                .map(l -> l.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT))
                .map(l -> l.replaceAll("[^\\w\\s-]", "").replace(' ', '-'))
                .collect(Collectors.toSet());
    }
}
