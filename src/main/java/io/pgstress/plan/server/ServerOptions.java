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
            .help(Group.SERVER, "Server, or the directory of its Unix socket. Default: PGHOST.");

    public static final Option<Optional<String>> PORT = Option.optional("port", "PORT", Forms::text)
            .letter("p")
            .help(Group.SERVER, "Its port. Default: PGPORT, or 5432.");

    public static final Option<Optional<String>> DBNAME = Option.optional("dbname", "NAME", Forms::text)
            .letter("d")
            .help(Group.SERVER, "Database, or a connection string of libpq. Default: PGDATABASE, or the role's name.");

    /** Not turned into a URL. Each host has its own: commands are not sent to agents. */
    public static final Option<Optional<String>> PASSWORD_COMMAND = Option.optional(
                    PASSWORD_COMMAND_NAME, "COMMAND", Forms::text)
            .help(Group.SERVER, "Prints the password, such as a token that expires; run again for new connections.");

    /** Those that name a server. */
    public static final List<Option<?>> ALL = List.of(HOST, PORT, DBNAME);

    private ServerOptions() {}
}
