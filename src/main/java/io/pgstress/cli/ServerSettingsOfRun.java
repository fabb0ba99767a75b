package io.pgstress.cli;

import io.pgstress.plan.RunSpec;
import io.pgstress.target.ClusterNode;
import io.pgstress.target.Target;
import io.pgstress.target.embedded.DataHome;
import io.pgstress.target.settings.AlteredSettings;
import io.pgstress.target.settings.Journal;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** The settings of whole servers that a run is to have. */
final class ServerSettingsOfRun {
    private ServerSettingsOfRun() {}

    /** Changes them; they are put back when what this returns is closed. */
    static AlteredSettings apply(RunSpec spec, Target target) throws SQLException {
        Map<String, String> asked = spec.alterSystem();
        List<ClusterNode> members = asked.isEmpty() ? List.of() : ClusterNode.of(target);
        return AlteredSettings.apply(members, asked, Journal.own(DataHome.of(System.getenv())));
    }

    /** A line on stderr for each that could not be put back. */
    static void tellFailures(AlteredSettings closed, Streams streams) {
        closed.failures().forEach(line -> streams.err().println("stress: " + line));
    }
}
