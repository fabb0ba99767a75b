package io.pgstress.cli;

import io.pgstress.importer.ImportSummary;
import io.pgstress.importer.ImportSummary.CollectionSummary;
import io.pgstress.plan.Endpoint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The command that runs a load on an imported table, ready to paste into a shell. */
public final class NextCommand {
    private static final Pattern PLAIN = Pattern.compile("[\\w.:/@%+=,-]+");

    private NextCommand() {}

    /**
     * The command for the table with the most rows; empty if no table has any.
     *
     * @param servers the server; empty for the embedded one
     * @param user the role; empty if none was named
     * @param launcher how the user calls the program; an empty string if that is not known
     * @param more further options of the server, with their values
     */
    public static Optional<String> after(
            String launcher, ImportSummary summary, List<Endpoint> servers, String user, List<String> more) {
        Comparator<CollectionSummary> bySize = Comparator.comparingLong(c -> c.rows() + c.skipped());
        return summary.collections().stream()
                .filter(c -> c.rows() + c.skipped() > 0)
                .max(bySize)
                .map(largest -> {
                    List<String> words = new ArrayList<>(List.of(launcher.isEmpty() ? "stress" : launcher));
                    servers.forEach(server -> words.addAll(List.of("--url", server.withoutSecrets())));
                    if (!user.isEmpty()) {
                        words.addAll(List.of("--user", user));
                    }
                    words.addAll(more);
                    words.addAll(List.of("--table", largest.table()));
                    return words.stream().map(NextCommand::quoted).collect(Collectors.joining(" "));
                });
    }

    /** A word for a POSIX shell. */
    private static String quoted(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
