package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pgstress.cli.complete.CommandEntry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The man pages, compared with the commands. */
final class ManPagesTest {
    private static final Streams STREAMS = new Streams(System.out, System.err);
    private static final Pattern EXAMPLE = Pattern.compile("\\.nf\n(.*?)\n\\.fi", Pattern.DOTALL);

    @TempDir
    private static Path directory;

    private static final CommandLine MAIN = Commands.all(STREAMS);

    private static List<Path> write() {
        assertThat(Main.run(STREAMS, "man", directory.toString())).isZero();
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void everyCommandHasAPageWithItsOptionsAndSections() throws IOException {
        List<Path> pages = write();
        List<CommandEntry> commands = CommandEntry.all(MAIN);
        assertThat(pages).hasSameSizeAs(commands);
        for (CommandEntry command : commands) {
            String name = ("stress " + command.path()).strip().replace(' ', '-');
            String page = Files.readString(directory.resolve(name + ".1"));
            for (OptionSpec option : command.options()) {
                for (String each : option.names()) {
                    assertThat(page).as(name).contains("\\fB" + each.replace("-", "\\-") + "\\fR");
                }
            }
            assertThat(page)
                    .as(name)
                    .contains(".SH \"NAME\"", ".SH \"SYNOPSIS\"", ".SH \"DESCRIPTION\"", ".SH \"OPTIONS\"")
                    .contains(".SH \"EXIT STATUS\"", ".SH \"ENVIRONMENT\"", ".SH \"FILES\"", ".SH \"EXAMPLES\"")
                    .contains(".SH \"SEE ALSO\"")
                    .doesNotContain("%n", "%%");
        }
        assertThat(Files.readString(directory.resolve("stress.1")))
                .contains(".SS \"Server and connections\"", ".SH \"COMMANDS\"", ".SH \"OPERATIONS\"", "find_first")
                .doesNotContain("train");
    }

    @Test
    void everyExampleParses() throws IOException {
        int examples = 0;
        for (Path page : write()) {
            Matcher lines = EXAMPLE.matcher(Files.readString(page));
            while (lines.find()) {
                String line = lines.group(1)
                        .replace("\\-", "-")
                        .replace("\\(ti", "~")
                        .replace("\\(aq", "")
                        .replaceAll("\\\\e\n\\s*", "")
                        .replaceAll(" >.*", "");
                String[] arguments = line.replaceFirst("^stress ", "").split(" +");
                Commands.of(STREAMS, List.of(arguments)).parseArgs(arguments);
                examples++;
            }
        }
        assertThat(examples).isGreaterThan(10);
    }

    @Test
    void mandocFindsNothingWrong() throws Exception {
        List<String> command = new ArrayList<>(List.of("mandoc", "-Tlint", "-Wwarning"));
        write().forEach(page -> command.add(page.toString()));
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            assumeTrue(false, "man pages: mandoc, which checks them, is not installed");
            throw e;
        }
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        assertThat(printed.lines().filter(line -> !line.contains("missing date")))
                .isEmpty();
    }
}
