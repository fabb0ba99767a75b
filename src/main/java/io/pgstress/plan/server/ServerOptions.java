package io.pgstress.plan.server;

import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Group;
import io.pgstress.plan.option.Option;
import java.util.List;
import java.util.Optional;

/** The options that name a server as psql does. {@link ServerNames} turns them into {@code --url}. */
public final class ServerOptions {
    /** The name of an option whose text may be a secret. */
    public static final String PASSWORD_COMMAND_NAME = "password-command";

    public static final Option<Optional<String>> HOST = Option.optional("host", "HOST", Forms::text)
            .help(Group.SERVER, "host, or directory of its socket (PGHOST)");

    public static final Option<Optional<String>> PORT =
            Option.optional("port", "PORT", Forms::text).letter("p").help(Group.SERVER, "port (PGPORT, or 5432)");

    public static final Option<Optional<String>> DBNAME = Option.optional("dbname", "NAME", Forms::text)
            .letter("d")
            .help(
                    Group.SERVER,
                    "database (PGDATABASE, or the role's name)",
                    "It can also be a connection string of libpq.");

    public static final Option<Optional<String>> USER = Option.optional("user", "NAME", Forms::text)
            .letter("U")
            .help(
                    Group.SERVER,
                    "role; passwords are in ~/.pgpass",
                    "PGPASSWORD, the password file or --password-command supplies the password.");

    /** Not turned into a URL. Each host has its own: commands are not sent to agents. */
    public static final Option<Optional<String>> PASSWORD_COMMAND = Option.optional(
                    PASSWORD_COMMAND_NAME, "COMMAND", Forms::text)
            .help(
                    Group.SERVER,
                    "prints the password, such as a token",
                    "It runs again for new connections, so the password may expire. Each agent has its own.");

    /** Those that name a server. */
    public static final List<Option<?>> ALL = List.of(HOST, PORT, DBNAME);

    /** Its values and its help come from {@link #target}. */
    public static final Option<String> TARGET =
            Option.of("target", "KIND", Forms::text).byDefault("auto").help(Group.SERVER, "");

    private ServerOptions() {}

    /** {@code --target} for these kinds of servers; the first of the names stands for asking the server. */
    public static Option<String> target(List<String> names) {
        String kinds = String.join(", ", names.subList(1, names.size()));
        return TARGET.form(Forms.choice(names)).help(Group.SERVER, kinds + " or auto", "auto: ask the server.");
    }
}
