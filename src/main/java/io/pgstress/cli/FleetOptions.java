package io.pgstress.cli;

import io.pgstress.fleet.FleetTls;
import io.pgstress.fleet.HostGroup.GroupSettings;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Group;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.server.ServerOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** The options of tests on several load generator hosts. */
public final class FleetOptions {
    /** Where an agent listens unless told otherwise. */
    static final int PORT = 7800;

    private static final int MAX_PORT = 65_535;
    private static final int MAX_AGENTS = 200;
    private static final String NO_AGENTS = "has no effect without --agents";

    public static final Option<Optional<Integer>> AGENTS = Option.optional("agents", "N", Forms.integer(1, MAX_AGENTS))
            .needs(() -> FleetOptions.JOIN, "needs --join with the address of at least one agent")
            .help(Group.HOSTS, "run the load on N hosts with 'stress agent'", "This host then only commands them.");

    public static final Option<List<String>> JOIN = Option.of("join", "HOST:PORT,...", FleetOptions::addresses)
            .needs(() -> AGENTS, NO_AGENTS)
            .help(
                    Group.HOSTS,
                    "addresses of at least one agent",
                    "The default port is 7800. dns:NAME:PORT stands for all addresses of a name.");

    static final Option<Optional<InetSocketAddress>> LISTEN = Option.optional(
                    "listen", "HOST[:PORT]", FleetOptions::address)
            .needs(() -> AGENTS, NO_AGENTS)
            .help(
                    Group.HOSTS,
                    "address of this host for the others (loopback)",
                    "Agents listen on port 7800 by default.");

    static final Option<Integer> TOLERATE_LOST = Option.of("tolerate-lost", "N", Forms.integer(0, MAX_AGENTS))
            .byDefault("0")
            .needs(() -> AGENTS, NO_AGENTS)
            .refusedIf(o -> o.isGiven(FleetOptions.TOLERATE_LOST)
                            && o.get(FleetOptions.TOLERATE_LOST)
                                    >= o.get(AGENTS).orElse(0)
                    ? "must be less than --agents, or nothing need be measured"
                    : "")
            .help(Group.HOSTS, "hosts that a valid result may lose");

    static final Option<Boolean> SERVER_PER_AGENT = Option.flag("server-per-agent")
            .needs(() -> AGENTS, NO_AGENTS)
            .help(Group.HOSTS, "each agent, in order of their names, connects to one server only");

    static final Option<Optional<Path>> KEYSTORE = Option.optional("tls-keystore", "FILE", Forms::readable)
            .refusedIf(o -> o.get(FleetOptions.KEYSTORE).isPresent()
                            != o.get(FleetOptions.TRUSTSTORE).isPresent()
                    ? "and --tls-truststore belong together"
                    : "")
            .needs(() -> AGENTS, NO_AGENTS)
            .help(Group.HOSTS, "this host's key and certificate (PKCS12)", "'stress agent keys' creates it.");

    static final Option<Optional<Path>> TRUSTSTORE = Option.optional("tls-truststore", "FILE", Forms::readable)
            .needs(() -> AGENTS, NO_AGENTS)
            .help(Group.HOSTS, "certificates to trust (PKCS12)");

    static final Option<Optional<Path>> PASSWORD_FILE = Option.optional("tls-password-file", "FILE", Forms::readable)
            .needs(() -> AGENTS, NO_AGENTS)
            .help(
                    Group.HOSTS,
                    "file with the password of both stores",
                    "Without it, PGSTRESS_TLS_PASSWORD is the password.");

    static final Option<Boolean> INSECURE = Option.flag("insecure")
            .needs(() -> AGENTS, NO_AGENTS)
            .help(Group.HOSTS, "permit other addresses without TLS", "Only for closed test networks.");

    static final Option<Optional<String>> NAME =
            Option.optional("name", "NAME", Forms::text).help(Group.HOSTS, "this host's name in reports");

    private static final List<Option<?>> CONNECTION = List.of(LISTEN, KEYSTORE, TRUSTSTORE, PASSWORD_FILE, INSECURE);

    /** Those of every command that generates load. */
    public static final List<Option<?>> OF_LOAD =
            Option.join(List.of(AGENTS, JOIN, SERVER_PER_AGENT, TOLERATE_LOST), CONNECTION);

    /** Those of an agent. */
    public static final List<Option<?>> OF_AGENT =
            Option.join(List.of(NAME, JOIN, ServerOptions.PASSWORD_COMMAND), CONNECTION);

    private FleetOptions() {}

    private static List<String> addresses(String text) {
        return Forms.list(text).stream().map(FleetOptions::withPort).toList();
    }

    private static String withPort(String address) {
        String host = address.startsWith("dns:") ? address.substring("dns:".length()) : address;
        if (host.isEmpty() || (host.matches("[^:]*:[^:]*") && !host.matches("[^:]+:\\d{1,5}"))) {
            throw new IllegalArgumentException("must be HOST or HOST:PORT, was '" + host + "'");
        }
        return host.matches(".*:\\d+") ? address : address + ":" + PORT;
    }

    private static InetSocketAddress address(String text) {
        String whole = withPort(text);
        int colon = whole.lastIndexOf(':');
        int port = Forms.integer(0, MAX_PORT).read(whole.substring(colon + 1));
        try {
            return new InetSocketAddress(InetAddress.getAllByName(whole.substring(0, colon))[0], port);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("unknown host: " + whole.substring(0, colon), e);
        }
    }

    /**
     * How this host takes part.
     *
     * @param port where it listens by default; 0: any free port
     * @throws InvalidPlanException if the stores cannot be used, or the address needs TLS
     */
    static GroupSettings settings(Options options, String name, int port) {
        try {
            return new GroupSettings(
                    name, withFreePort(listen(options, port)), options.get(JOIN), tls(options), options.get(INSECURE));
        } catch (IllegalArgumentException e) {
            throw new InvalidPlanException("--listen: " + e.getMessage());
        } catch (IOException e) {
            throw new InvalidPlanException("--listen or --tls-keystore: " + e.getMessage());
        }
    }

    private static InetSocketAddress listen(Options options, int port) {
        Optional<InetSocketAddress> given = options.get(LISTEN);
        if (given.isEmpty() && options.get(JOIN).stream().anyMatch(FleetOptions::isElsewhere)) {
            throw new InvalidPlanException(
                    "--listen: is needed, because --join names other machines; give the address of"
                            + " this host that they can reach");
        }
        return given.orElseGet(() -> new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    private static boolean isElsewhere(String join) {
        try {
            return !InetAddress.getByName(join.replaceFirst("^dns:", "").replaceFirst(":\\d+$", ""))
                    .isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false; // reported when the group is joined, unless it is a name that gets its addresses later
        }
    }

    /** The engine needs to know its port before it listens. */
    private static InetSocketAddress withFreePort(InetSocketAddress listen) throws IOException {
        if (listen.getPort() != 0) {
            return listen;
        }
        try (ServerSocket free = new ServerSocket(0, 1, listen.getAddress())) {
            return new InetSocketAddress(listen.getAddress(), free.getLocalPort());
        }
    }

    private static @Nullable SSLContext tls(Options options) throws IOException {
        Path keystore = options.get(KEYSTORE).orElse(null);
        Path truststore = options.get(TRUSTSTORE).orElse(null);
        if (keystore == null || truststore == null) {
            return null;
        }
        char[] password = FleetTls.password(options.get(PASSWORD_FILE).orElse(null), System.getenv());
        return FleetTls.context(keystore, truststore, password);
    }
}
