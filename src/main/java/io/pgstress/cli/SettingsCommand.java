package io.pgstress.cli;

import io.pgstress.interrupt.CommandPart;
import io.pgstress.plan.option.Group;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import io.pgstress.target.driver.PasswordFile;
import io.pgstress.target.embedded.EmbeddedServer.DataHome;
import io.pgstress.target.settings.AlteredSettings;
import io.pgstress.target.settings.Journal;
import io.pgstress.text.Counted;
import io.pgstress.text.Printable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.ParseResult;

/** {@code stress settings restore}: restores the settings of servers that a killed run could not restore. */
final class SettingsCommand extends Command {
    SettingsCommand(Streams streams) {
        super(streams, Subcommand.SETTINGS, List.of(VERBOSE.help(Group.NONE, VERBOSE.brief())));
        argument("1", "restore", "What to do: restore.");
    }

    @Override
    int run(ParseResult parsed, Options options, Problems problems) {
        String what = argument(parsed);
        if (!what.equals("restore")) {
            throw new InvalidPlanException("settings: must be restore, was '" + what + "'");
        }
        List<Journal> journals = Journal.leftBehind(DataHome.of(System.getenv()));
        if (journals.isEmpty()) {
            streams.out().println("nothing to restore");
            return ExitCode.DONE;
        }
        String ignored = PasswordFile.choose(System.getenv());
        if (!ignored.isEmpty()) {
            streams.note(ignored);
        }
        streams.interruption()
                .enter(CommandPart.uninterruptible(
                        "the settings to be restored", "run the command again to restore the rest"));
        List<String> failed = new ArrayList<>();
        Map<String, String> restored = new LinkedHashMap<>();
        journals.forEach(journal -> restored.putAll(AlteredSettings.restore(journal, failed)));
        failed.forEach(streams::note);
        restored.forEach((setting, value) -> streams.out().println(Printable.line(setting + " is " + value)));
        streams.out().println(Counted.of(restored.size(), "setting") + " restored");
        return failed.isEmpty() ? ExitCode.DONE : ExitCode.TARGET;
    }
}
