package io.pgstress.cli.man;

import io.pgstress.cli.complete.CommandEntry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;

/** The man pages of all commands: {@code stress.1}, {@code stress-compare.1} and so on. */
public final class ManPages {
    private ManPages() {}

    /**
     * Writes the pages; the directory is created if it is missing.
     *
     * @param main the main command with all others
     */
    public static void write(CommandLine main, String version, Path directory) throws IOException {
        Files.createDirectories(directory);
        List<CommandEntry> commands = CommandEntry.all(main);
        for (CommandEntry command : commands) {
            String page = new ManPage(command, commands, version).text();
            Files.writeString(directory.resolve(name(command) + ".1"), page, StandardCharsets.UTF_8);
        }
    }

    /** The name of a command's page. */
    static String name(CommandEntry command) {
        return command.path().isEmpty()
                ? command.name()
                : "stress-" + command.path().replace(' ', '-');
    }
}
