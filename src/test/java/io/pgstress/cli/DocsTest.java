package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.result.RemarkCode;
import io.pgstress.result.RemarkText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * Checks the documentation against the program: links, options, quoted messages, sample output and the number of words. With
 * {@code -Dgolden.write=true}, sample output is copied from its golden files into the pages.
 */
final class DocsTest {
    /** The most words that a user may have to read: README.md and docs/*.md, without what is generated. */
    private static final int MAX_WORDS = 25_000;

    /**
     * A comment that names the golden file of the block below it, relative to src/test/resources, and the block. With
     * {@code from "WORDS"}, the block is the paragraph of the file that begins with these words.
     */
    private static final Pattern SAMPLE =
            Pattern.compile("(<!-- golden: (\\S+)(?: from \"(.*?)\")? -->\n+```[a-z]*\n)(.*?)(```\n)", Pattern.DOTALL);

    private static final Path GOLDEN = Path.of("src/test/resources");

    /** A row of the table of remarks in docs/remarks.md, which RemarkCodeTest compares with the code. */
    private static final Pattern REMARK = Pattern.compile("\\| `[A-Z][A-Z0-9_]+` \\|.*");

    /** Options in pages that are not of pgstress. */
    private static final Set<String> OF_OTHER_PROGRAMS = Set.of(
            "--archive",
            "--build-arg",
            "--cpus",
            "--cpuset-cpus",
            "--db-ps-mode",
            "--gzip",
            "--memory",
            "--network",
            "--ns",
            "--oplog",
            "--rand-type",
            "--report-interval",
            "--retry-all-errors",
            "--stop-timeout",
            "--table-size",
            "--warmup-time");

    private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");

    /** A line of a page that quotes what pgstress prints; lines that go on are indented by two more. */
    private static final Pattern MESSAGE = Pattern.compile("( *)(?:stress: (?:warning: )?|warning: |not valid: )(.*)");

    /** In quoted messages, values of the examples and what PostgreSQL says. */
    private static final Pattern VALUE = Pattern.compile(
            "\\b(?:app|docs|worker|mydb|canceling statement due to lock timeout|grant update on docs to app)\\b");

    /** A word of a message that is no figure and no name of something. */
    private static final Pattern WORD = Pattern.compile("(?<=^|[\\s('\"])[A-Za-z][a-z'-]+(?=[.,;:()'\"]*(?:\\s|$))");

    /** A text of this length tells that its source may have made the message. */
    private static final int MIN_LENGTH = 7;

    /** A message is made of texts of at most so many sources. */
    private static final int MAX_SOURCES = 5;

    private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\\n]|\\\\.)*)\"");

    /** The option of the example operation in CONTRIBUTING, which only its test compiles. */
    private static final String OF_THE_EXAMPLE = "--page-rows";

    private static final Pattern PAGE = Pattern.compile("docs/[\\w/-]+\\.md");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--[a-z][a-z0-9-]*");
    private static final Pattern COMMAND = Pattern.compile("\\./stress (.*)");
    private static final Set<String> COMMANDS = Stream.concat(
                    Subcommand.briefs().keySet().stream(), Stream.of("agent keys"))
            .collect(Collectors.toSet());

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
    void everyPageForUsersIsInTheIndexes() {
        for (Path index : List.of(Path.of("docs/README.md"), Path.of("llms.txt"))) {
            Set<Path> linked = links(index).stream()
                    .map(link -> beside(index, link.split("#", 2)[0]))
                    .collect(Collectors.toSet());
            assertThat(linked)
                    .as(index.toString())
                    .containsAll(userPages().stream()
                            .filter(p -> p.startsWith("docs") && !p.endsWith("README.md"))
                            .toList());
        }
    }

    @Test
    void everyScenarioIsInTheIndexOfScenarios() throws IOException {
        Path index = Path.of("config/README.md");
        Set<Path> linked =
                links(index).stream().map(link -> beside(index, link)).collect(Collectors.toSet());
        try (Stream<Path> files = Files.walk(Path.of("config"))) {
            assertThat(linked)
                    .containsAll(
                            files.filter(p -> p.toString().endsWith(".yaml")).toList());
        }
    }

    /** Neither counted are generated pages and tables (docs/options.md, the table of remarks), the marks of samples, nor lines of tables. */
    @Test
    void pagesForUsersAreShort() {
        Map<Path, Long> words = new TreeMap<>();
        for (Path page : userPages()) {
            words.put(
                    page,
                    lines(page).stream()
                            .filter(line -> !REMARK.matcher(line).matches() && !line.startsWith("<!-- golden:"))
                            .flatMap(line -> Arrays.stream(line.split("\\s+")))
                            .filter(word -> word.chars().anyMatch(Character::isLetterOrDigit))
                            .count());
        }
        assertThat(words.values().stream().mapToLong(Long::longValue).sum())
                .as(() -> "words in " + words)
                .isLessThanOrEqualTo(MAX_WORDS);
    }

    @Test
    void samplesEqualTheirGoldenFiles() throws IOException {
        int samples = 0;
        for (Path page : pages()) {
            String text = Files.readString(page);
            StringBuilder expected = new StringBuilder();
            Matcher m = SAMPLE.matcher(text);
            while (m.find()) {
                samples++;
                String golden = golden(m.group(2), m.group(3));
                m.appendReplacement(expected, Matcher.quoteReplacement(m.group(1) + golden + m.group(5)));
            }
            m.appendTail(expected);
            if (Boolean.getBoolean("golden.write")) {
                Files.writeString(page, expected);
            }
            assertThat(Files.readString(page)).as(page.toString()).isEqualTo(expected.toString());
        }
        assertThat(samples).isPositive();
    }

    /** The text of a golden file without colors, or its paragraph that begins with these words. */
    private static String golden(String file, String words) throws IOException {
        String text = Files.readString(GOLDEN.resolve(file)).replaceAll("\u001b\\[\\d*m", "");
        if (words == null) {
            return text;
        }
        return Arrays.stream(text.split("\n\n"))
                        .filter(paragraph -> paragraph.startsWith(words))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException(file + " has no paragraph from " + words))
                        .strip()
                + "\n";
    }

    /** All words of a quoted message, apart from names and values, are in texts of the few sources that make it. */
    @Test
    void quotedMessagesAreThoseOfTheProgram() throws IOException {
        List<Set<String>> sources = sources();
        List<String> unknown = new ArrayList<>();
        int messages = 0;
        for (Path page : userPages()) {
            for (String message : messages(page)) {
                messages++;
                List<String> words = unknownWords(message, sources);
                if (!words.isEmpty()) {
                    unknown.add(page + ": " + message + ": " + words);
                }
            }
        }
        assertThat(messages).isGreaterThan(10);
        assertThat(unknown).isEmpty();
    }

    /** The messages that a page quotes, each in one line. */
    private static List<String> messages(Path page) {
        List<String> messages = new ArrayList<>();
        String indent = "";
        for (String line : lines(page)) {
            Matcher m = MESSAGE.matcher(line);
            if (m.matches()) {
                indent = m.group(1) + "  ";
                messages.add(m.group(2));
            } else if (!indent.isEmpty() && line.startsWith(indent) && !line.isBlank()) {
                messages.add(messages.remove(messages.size() - 1) + " " + line.strip());
            } else {
                indent = "";
            }
        }
        return messages;
    }

    private static List<String> unknownWords(String message, List<Set<String>> sources) {
        BitSet known = new BitSet(message.length());
        VALUE.matcher(message).results().forEach(value -> known.set(value.start(), value.end()));
        for (int source = 0; source < MAX_SOURCES; source++) {
            Set<String> best = sources.stream()
                    .max(Comparator.comparingInt(texts -> gain(message, texts, known)))
                    .orElseThrow();
            if (gain(message, best, known) < MIN_LENGTH) {
                break;
            }
            known.or(found(message, best, 1));
        }
        return WORD.matcher(message)
                .results()
                .filter(word -> known.nextClearBit(word.start()) < word.end())
                .map(MatchResult::group)
                .toList();
    }

    /** How many further letters of a message are in long texts of a source. */
    private static int gain(String message, Set<String> source, BitSet known) {
        BitSet more = found(message, source, MIN_LENGTH);
        more.andNot(known);
        return more.cardinality();
    }

    /** The letters of a message that are in texts of at least this length. */
    private static BitSet found(String message, Set<String> texts, int length) {
        BitSet found = new BitSet(message.length());
        for (String text : texts) {
            if (text.length() >= length) {
                for (int at = message.indexOf(text); at >= 0; at = message.indexOf(text, at + 1)) {
                    found.set(at, at + text.length());
                }
            }
        }
        return found;
    }

    /** The strings of each file of the sources, and the texts of each remark, without what stands for figures. */
    private static List<Set<String>> sources() throws IOException {
        List<Set<String>> sources = new ArrayList<>();
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java") && !f.endsWith("RemarkCode.java"))
                    .toList()) {
                String joined = Files.readString(file).replaceAll("\"\\s*\\+\\s*\"", "");
                sources.add(texts(LITERAL.matcher(joined).results().map(r -> r.group(1))));
            }
        }
        for (RemarkCode code : RemarkCode.values()) {
            sources.add(texts(
                    Stream.of(code.cause(), code.consequence(), code.action()).map(RemarkText::template)));
        }
        return sources;
    }

    private static Set<String> texts(Stream<String> literals) {
        return literals.map(text -> text.replace("\\\"", "\"").replace("`", ""))
                .map(text -> text.replaceAll("\\[(\\w+)]\\((\\w+\\.md)\\)", "$1 (docs/$2)"))
                .flatMap(text -> Arrays.stream(text.split("%[-0-9.,$]*[a-z]|\\{[^}]*}|\\\\n|\\[\\[|]]")))
                .map(text -> text.strip().replaceFirst("\\.$", ""))
                .filter(text -> text.length() >= 2)
                .flatMap(text -> Stream.of(text, text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1)))
                .collect(Collectors.toSet());
    }

    @Test
    void optionsNamedInPagesExist() {
        Set<String> all = new TreeSet<>(help(""));
        COMMANDS.forEach(command -> all.addAll(help(command)));
        all.addAll(OF_OTHER_PROGRAMS);
        all.add(OF_THE_EXAMPLE);
        Set<String> unknown = new TreeSet<>();
        for (Path page : userPages()) {
            CODE.matcher(String.join("\n", lines(page)))
                    .results()
                    .map(r -> r.group(1))
                    .filter(code -> code.startsWith("--"))
                    .flatMap(code -> optionsIn(code).stream())
                    .filter(option -> !all.contains(option))
                    .forEach(option -> unknown.add(page + ": " + option));
        }
        assertThat(unknown).isEmpty();
    }

    /** {@code -Dgolden.write=true} writes the page. */
    @Test
    void listOfOptionsIsGenerated() throws IOException {
        Path page = Path.of("docs/options.md");
        String generated = OptionsPage.text();
        if (Boolean.getBoolean("golden.write")) {
            Files.writeString(page, generated);
        }
        assertThat(Files.readString(page))
                .as("docs/options.md is generated; run this test with -Dgolden.write=true")
                .isEqualTo(generated);
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
            CommandLine line = Commands.all(new Streams(System.out, System.err));
            for (String name : c.isEmpty() ? new String[0] : c.split(" ")) {
                line = line.getSubcommands().get(name);
            }
            Set<String> known = new TreeSet<>(line.getCommandSpec().optionsMap().keySet());
            known.addAll(List.of("--threads", "--max-threads", HelpText.ALL));
            return known;
        });
    }

    private static Set<String> optionsIn(String text) {
        return OPTION.matcher(text).results().map(r -> r.group()).collect(Collectors.toCollection(TreeSet::new));
    }

    /** What users read and people write: README.md and docs/*.md. */
    private static List<Path> userPages() {
        return pages().stream()
                .filter(p -> p.equals(Path.of("README.md")) || Path.of("docs").equals(p.getParent()))
                .filter(p -> !p.endsWith("options.md"))
                .toList();
    }

    private static Collection<Path> pages() {
        Collection<Path> pages = new TreeSet<>();
        for (String directory : List.of("", "docs", "docs/dev", "docs/adr", "config", "datasets", "bench")) {
            try (Stream<Path> files = Files.list(Path.of(directory))) {
                files.filter(p -> p.toString().endsWith(".md") || p.endsWith("llms.txt"))
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
