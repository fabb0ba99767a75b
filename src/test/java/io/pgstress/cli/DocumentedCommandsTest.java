package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the commands that the pages for users, the scenarios and the files of operations show, on the tests' server, with little
 * data and for a short time.
 */
@Slow
final class DocumentedCommandsTest {
    /** A command with its continued lines; those of scenarios are comments. */
    private static final Pattern COMMAND = Pattern.compile("(?m)^(?:# *| *|\\$ )\\./stress ((?:.*\\\\\n)*.*)$");

    /** What a command needs that is not here, by the words that show it. */
    private static final Map<Pattern, String> ELSEWHERE = new LinkedHashMap<>();

    static {
        elsewhere("agent |--agents", "agents: see the fleet's tests");
        elsewhere("^rehearse ", "minutes: see RehearseCommandTest");
        elsewhere(
                "coordinator|--hosts|--url .*--url |--shards|--watch-host|appendonly|(1\\d|2\\d|31|34|35|36|40|42)-\\S+yaml",
                "a cluster or several servers");
        elsewhere("37-scans|41-poolers", "several servers");
        elsewhere("--server|server=", "installed builds of PostgreSQL: see StartedServerTest");
        elsewhere("33-load-indexes", "millions of rows");
        elsewhere("\\.\\.\\.", "more words: it is the pattern of a command");
        elsewhere("tune .*--limit", "time for many trials: see TuneCommandTest");
        elsewhere("--rename", "a dump of these collections: see ImportCommandTest");
        elsewhere("--password-command|sslmode", "a secret or a certificate: see LoginTest and TlsTest");
        elsewhere("report last|report --list|--save|baseline ", "the user's own folder: see SavedResultsTest");
        elsewhere(
                "suggest |orders\\.yaml|orders\\.rejects|dump2",
                "a dump with a profile, or with rejects: see their tests");
    }

    private static final Pattern OWN_FILE = Pattern.compile(
            "(target/)?(dump[\\w/.-]*|path/to/dump|target/large|rejects2|[\\w-]+\\.(json|html|xml|md|csv)|[\\w-]+\\.sql(@\\d+)?)");

    private static final Pattern OF_SERVER = Pattern.compile("--(url|host)|-[hpUd]");
    private static final Set<String> LOADS = Set.of("", "compare", "tune");
    private static final int MAX_CLIENTS = 2;

    /** What makes a command short, by option. */
    private static final Map<String, UnaryOperator<String>> LIMITS = new LinkedHashMap<>();

    static {
        LIMITS.put("--duration", value -> "60ms");
        LIMITS.put("-T", LIMITS.get("--duration"));
        LIMITS.put("--step", LIMITS.get("--duration"));
        LIMITS.put("--clients", value -> Integer.toString(Math.min(MAX_CLIENTS, Integer.parseInt(value))));
        LIMITS.put("-c", LIMITS.get("--clients"));
        LIMITS.put("--pool-size", value -> "2");
        LIMITS.put("--rounds", value -> "1");
        LIMITS.put("--count", value -> "500");
        LIMITS.put("--scale", value -> "1");
        LIMITS.put("--tables", value -> "2");
        LIMITS.put("--table-rows", value -> "1000");
        LIMITS.put("--live", value -> "0");
        LIMITS.put("--prometheus", value -> "0");
        LIMITS.put("--metrics-linger", value -> "10ms");
    }

    @TempDir
    static Path directory;

    private static Set<Path> before;
    private static String url;

    private static void elsewhere(String words, String reason) {
        ELSEWHERE.put(Pattern.compile(words), reason);
    }

    @BeforeAll
    static void importData() throws IOException {
        before = files();
        url = TestServer.freshDatabase("documented");
        succeed("import", "datasets/sample", "--url", url);
        for (String name : List.of("dump", "path/to/dump")) {
            generate(name, "shop", "orders", "--no-gzip");
        }
        generate("target/dump", "stress", "check_in", "");
        succeed("import", directory.resolve("dump").toString(), "--if-exists", "drop", "--url", url);
        Files.writeString(directory.resolve("customers.json"), "{\"_id\": 1, \"name\": \"x\"}\n");
        Files.writeString(directory.resolve("my.sql"), "\\set n random(1, :rows)\nselect :n;\n");
        Files.writeString(directory.resolve("other.sql"), "select 1;\n");
        for (String name : List.of("run.json", "a.json", "b.json")) {
            Ended run = Ended.stress(
                    "-t check_in -c 2 --warmup 0 -T 100ms --json " + directory.resolve(name) + " --url " + url);
            assertThat(run.code()).as(run.err()).isIn(ExitCode.DONE, ExitCode.NOT_VALID);
        }
    }

    private static void generate(String into, String database, String collection, String more) {
        String[] options = Runs.words("--db", database, "--collection", collection, "--count 500", more);
        List<String> words =
                new ArrayList<>(List.of("generate", directory.resolve(into).toString()));
        words.addAll(List.of(options));
        succeed(words.toArray(String[]::new));
    }

    private static void succeed(String... words) {
        Ended ended = Ended.ofWords(words);
        assertThat(ended.code()).as(ended.err()).isEqualTo(ExitCode.DONE);
    }

    /** Files of commands are in the test's folder; see OWN_FILE. */
    @AfterAll
    static void nothingIsLeftInTheWorkingFolder() throws IOException {
        assertThat(files()).isEqualTo(before);
    }

    private static Set<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(""))) {
            return files.collect(Collectors.toCollection(TreeSet::new));
        }
    }

    /** Commands that differ only in what is cut here, such as their duration, run once. */
    @TestFactory
    Stream<DynamicTest> commandRuns() throws IOException {
        Map<List<String>, String> distinct = new LinkedHashMap<>();
        for (String command : commands()) {
            if (reason(command).isEmpty()) {
                distinct.putIfAbsent(here(List.of(Runs.words(command))), command);
            }
        }
        return distinct.entrySet().stream()
                .map(entry -> DynamicTest.dynamicTest(entry.getValue(), () -> run(entry.getKey())));
    }

    /** No reason remains for commands that are gone. */
    @Test
    void everyReasonForNotRunningIsOfACommand() throws IOException {
        Set<String> commands = commands();
        assertThat(ELSEWHERE.keySet())
                .allSatisfy(words -> assertThat(commands)
                        .as(words.pattern())
                        .anyMatch(command -> words.matcher(command).find()));
    }

    private static String reason(String command) {
        return ELSEWHERE.entrySet().stream()
                .filter(entry -> entry.getKey().matcher(command).find())
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
    }

    private static Set<String> commands() throws IOException {
        Set<Path> files = new TreeSet<>(List.of(Path.of("README.md")));
        for (String folder : List.of("docs", "config", "config/operations")) {
            try (Stream<Path> found = Files.list(Path.of(folder))) {
                found.filter(file -> file.toString().matches(".*\\.(md|yaml)")).forEach(files::add);
            }
        }
        Set<String> commands = new LinkedHashSet<>();
        for (Path file : files) {
            Matcher m = COMMAND.matcher(Files.readString(file));
            while (m.find()) {
                commands.add(m.group(1)
                        .replaceAll("\\\\\n *(# *)?", " ")
                        .replaceAll(" +# .*", "")
                        .strip());
            }
        }
        assertThat(commands).hasSizeGreaterThan(50);
        files.stream()
                .filter(file -> file.getParent() != null && file.getParent().endsWith("config"))
                .filter(file -> file.toString().endsWith(".yaml"))
                .forEach(scenario -> commands.add("compare " + scenario));
        return commands;
    }

    private static void run(List<String> words) {
        Ended ended = Ended.ofWords(words.toArray(String[]::new));

        assertThat(ended.code())
                .as(String.join(" ", words) + "\n" + ended.err() + ended.out())
                .isIn(ExitCode.DONE, ExitCode.LIMIT_BROKEN, ExitCode.NOT_VALID);
    }

    /** The same command on the tests' server, with files in the test's folder, short and with few rows. */
    private static List<String> here(List<String> words) throws IOException {
        String command = Subcommand.briefs().containsKey(words.get(0)) ? words.get(0) : "";
        List<String> here = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            String value = i + 1 < words.size() ? words.get(i + 1) : "";
            if (OF_SERVER.matcher(word).matches()) {
                i++;
            } else if (LIMITS.containsKey(word)) {
                here.add(word);
                here.add(LIMITS.get(word).apply(value));
                i++;
            } else {
                here.add(
                        OWN_FILE.matcher(word).matches()
                                ? directory.resolve(word).toString()
                                : word);
            }
        }
        if (!List.of("generate", "report", "settings").contains(command)) {
            here.addAll(List.of("--url", url));
        }
        String file = words.stream()
                .filter(w -> w.matches("config/.*yaml"))
                .findFirst()
                .orElse("");
        String text = file.isEmpty() ? "--table" : Files.readString(Path.of(file));
        if (LOADS.contains(command)) {
            addMissing(here, "--warmup", "20ms");
            addMissing(here, "--interval", "100ms");
            if (!here.contains("-T")) {
                addMissing(here, here.contains("--step") ? "--step" : "--duration", "60ms");
            }
            if (text.contains("--table") || !text.contains("table-rows")) { // or it has tables of its own
                addMissing(here, "--table", "check_in");
            }
        }
        switch (command) {
            case "compare" -> shorten(here, text);
            case "tune" -> here.addAll(List.of("--max-clients", "2", "--repeat-limit", "0"));
            case "import" -> addMissing(here, here.contains("--resume") ? "--resume" : "--if-exists", "drop");
            default -> {}
        }
        return here;
    }

    /** Limits what a scenario says itself. */
    private static void shorten(List<String> words, String scenario) {
        if (!words.contains("--dry-run")) {
            addMissing(words, "--rounds", "1");
        }
        LIMITS.forEach((option, limit) -> {
            Matcher m = Pattern.compile("(?m)^  " + option.substring(2) + ": (\\d+)$")
                    .matcher(scenario);
            if (m.find()) {
                addMissing(words, option, limit.apply(m.group(1)));
            }
        });
    }

    private static void addMissing(List<String> words, String option, String value) {
        if (!words.contains(option)) {
            words.addAll(List.of(option, value));
        }
    }
}
