package io.pgstress.plan.server;

import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Problems;
import io.pgstress.plan.server.JdbcUrl.JdbcParts;
import io.pgstress.plan.server.ServerEnvironment.ServiceFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which server the options of a command name, with the service file and the environment. The only place that does:
 * everything else sees JDBC URLs. An option has precedence over the URL, the URL over the service, the service over the
 * environment, and the environment over libpq's defaults. Immutable.
 */
public final class ServerNames {
    /** A URL for a server whose name is wrong, so that no further problem is reported. */
    private static final String PLACEHOLDER = "jdbc:postgresql://localhost/";

    private static final String URL = "url";
    private static final String USER = "user";

    /** Other options that name servers. */
    private static final List<String> NAMING = List.of(URL, USER, "hosts");

    private static final Pattern CLIENTS = Pattern.compile("(.*?)(,clients=[^,&]*)?", Pattern.DOTALL);

    private final ServerEnvironment environment;

    public ServerNames(ServerEnvironment environment) {
        this.environment = environment;
    }

    /**
     * The options with a JDBC URL in {@code url} for each server, without those of {@link ServerOptions}. If they name no
     * server, and neither does the environment, nothing is changed: the command starts one.
     *
     * @param given texts by long name
     * @param problems takes what is wrong with them
     */
    public Map<String, List<String>> resolved(Map<String, List<String>> given, Problems problems) {
        Map<String, List<String>> others = new LinkedHashMap<>(given);
        Map<String, String> own = new LinkedHashMap<>();
        for (Option<?> option : ServerOptions.ALL) {
            take(others.remove(option.name()), option.name(), own);
        }
        take(given.get(USER), USER, own);
        List<String> urls = given.getOrDefault(URL, List.of());
        boolean hasHosts = given.containsKey("hosts");
        if (!isNamed(given) && selectedBy(given).isEmpty()) {
            return given;
        }
        if (own.containsKey(USER)) {
            others.put(USER, List.of(own.get(USER)));
        }
        others.put(URL, urls(urls, own, hasHosts, problems));
        return others;
    }

    /** The environment variable that selects the server; an empty string: these options do, or nothing does. */
    public String selectedBy(Map<String, List<String>> given) {
        return isNamed(given) || given.containsKey("server") ? "" : environment.selectsServer();
    }

    private static boolean isNamed(Map<String, List<String>> given) {
        return NAMING.stream().anyMatch(given::containsKey)
                || ServerOptions.ALL.stream().anyMatch(option -> given.containsKey(option.name()));
    }

    private static void take(@Nullable List<String> texts, String keyword, Map<String, String> own) {
        if (texts != null && !texts.isEmpty()) {
            own.put(keyword, texts.get(texts.size() - 1).trim());
        }
    }

    private List<String> urls(List<String> named, Map<String, String> own, boolean hasHosts, Problems problems) {
        Map<String, String> parts = new LinkedHashMap<>(own);
        List<String> urls = named;
        String database = own.getOrDefault("dbname", "");
        if (Conninfo.isOne(database) || database.startsWith("jdbc:")) {
            if (!urls.isEmpty()) {
                problems.add(ServerOptions.DBNAME, "is a connection string, and so is --url; leave one of them out");
            }
            urls = List.of(database);
            parts.remove("dbname");
        }
        for (Option<?> option : List.of(ServerOptions.HOST, ServerOptions.PORT)) {
            if (own.containsKey(option.name()) && (hasHosts || urls.size() > 1)) {
                problems.add(
                        option, hasHosts ? "cannot be combined with --hosts" : "cannot be combined with several --url");
            }
        }
        if (hasHosts) { // they take the place of this one
            parts.keySet().removeAll(List.of("host", "port"));
            if (urls.isEmpty()) {
                parts.put("host", "localhost");
            }
        }
        parts.values().removeIf(String::isEmpty);
        List<String> resolved = new ArrayList<>();
        if (urls.isEmpty()) {
            resolved.add(url("", "", parts, problems));
        }
        String option = named.isEmpty() ? ServerOptions.DBNAME.name() : URL;
        urls.forEach(url -> resolved.add(url(option, url, parts, problems)));
        return List.copyOf(resolved);
    }

    private String url(String option, String text, Map<String, String> parts, Problems problems) {
        Matcher m = CLIENTS.matcher(text.trim());
        String clients = m.matches() && m.group(2) != null ? m.group(2) : "";
        String url = m.group(1);
        try {
            if (!url.isEmpty() && !Conninfo.isOne(url)) {
                return parts.isEmpty() ? text : JdbcParts.replaced(url, parts) + clients;
            }
            Conninfo named = url.isEmpty() ? new Conninfo(Map.of()) : Conninfo.parse(url);
            return JdbcUrl.of(complete(named.overriddenBy(parts)), environment) + clients;
        } catch (Hosts.UnusableHost e) {
            problems.add(
                    parts.containsKey("host") ? ServerOptions.HOST.name() : option, String.valueOf(e.getMessage()));
            return PLACEHOLDER;
        } catch (IllegalArgumentException e) {
            problems.add(option, String.valueOf(e.getMessage()));
            return PLACEHOLDER;
        }
    }

    private Conninfo complete(Conninfo named) {
        Map<String, String> variables = new LinkedHashMap<>(environment.values());
        String service = named.completedBy(variables).get("service");
        String file = named.completedBy(variables).get("servicefile");
        Map<String, String> ofService =
                service.isEmpty() ? Map.of() : ServiceFile.find(service, file, environment.variables());
        return named.completedBy(ofService).completedBy(variables);
    }

    /** Whether the environment of a user who names no server could mean one. */
    public boolean couldMeanAnother() {
        return !environment.withoutServer().isEmpty();
    }

    /** A line for the user of the embedded server, with what in the environment could mean another one. */
    public String noteOnEmbedded() {
        return "no server is named, so the embedded PostgreSQL starts"
                + (couldMeanAnother()
                        ? "; " + environment.withoutServer()
                                + " would apply to a server that --host, --dbname, --url or PGHOST names"
                        : "");
    }
}
