package io.pgstress.cli;

import io.pgstress.cli.output.Streams;
import io.pgstress.target.driver.PasswordFile;
import io.pgstress.target.embedded.DataHome;
import io.pgstress.target.settings.AlteredSettings;
import io.pgstress.target.settings.Journal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stress settings restore}: undoes what a killed run has left altered on servers. */
@Command(
        name = "settings",
        mixinStandardHelpOptions = true,
        description = "Restores the settings that --alter-system changed, if the run was killed before it could.")
final class SettingsCommand implements Callable<Integer> {
    private final Streams streams;

    @Parameters(paramLabel = "restore", description = "What to do: restore.")
    private String what = "";

    @Option(names = "--verbose", description = "Shows where an error came from.")
    @SuppressWarnings("UnusedVariable") // Main looks for it, before the command line is parsed
    private boolean verbose;

    SettingsCommand(Streams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() {
        if (!what.equals("restore")) {
            streams.err().println("stress: settings: must be restore, was '" + what + "'");
            return ExitCode.USAGE;
        }
        List<Journal> journals = Journal.leftBehind(DataHome.of(System.getenv()));
        if (journals.isEmpty()) {
            streams.out().println("nothing to restore");
            return ExitCode.DONE;
        }
        String ignored = PasswordFile.choose(System.getenv());
        if (!ignored.isEmpty()) {
            streams.err().println("stress: " + ignored);
        }
        List<String> failed = new ArrayList<>();
        int restored = 0;
        for (Journal journal : journals) {
            restored += AlteredSettings.restore(journal, failed);
        }
        streams.out().println(restored + (restored == 1 ? " setting" : " settings") + " restored");
        failed.forEach(line -> streams.err().println("stress: " + line));
        return failed.isEmpty() ? ExitCode.DONE : ExitCode.TARGET;
    }
}
