package io.pgstress.cli;

import io.pgstress.fleet.KeyDirectory;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Group;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code stress agent keys}: a certificate for each host, and the stores that they need. */
final class AgentKeysCommand extends Command {
    private static final Option<List<String>> HOSTS = Option.of("hosts", "NAME,...", Forms::list)
            .help(Group.NONE, "names or addresses of all hosts", "Including that of the command.");

    AgentKeysCommand(Streams streams) {
        super(
                streams,
                "keys",
                "Creates a small CA, and a key store for each host, so that the hosts of a test recognize each other.",
                null,
                List.of(HOSTS));
        declare(List.of(HOSTS));
        argument("1", "DIR", "Where the files go; must not exist, or be empty.");
    }

    @Override
    int run(ParseResult parsed, Options options, Problems problems) throws Exception {
        problems.throwIfAny();
        Path directory = Forms.path(argument(parsed));
        try {
            KeyDirectory.create(directory, options.get(HOSTS), Instant.now());
        } catch (IllegalArgumentException e) {
            throw new InvalidPlanException("--hosts: " + e.getMessage());
        }
        streams.out()
                .println("Wrote " + directory
                        + ": give each host HOST.p12, truststore.p12 and password; keep ca.p12 and" + " ca.password.");
        return ExitCode.DONE;
    }
}
