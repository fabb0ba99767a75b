package io.pgstress.plan.option;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Names of options that other tools or drafts of this one have: names that still work, and what to use instead of the rest. */
public final class OptionNames {
    /** The option's name by a second name that scripts and scenarios use, both without dashes. */
    private static final Map<String, String> ALIASES = Map.of("threads", "clients", "max-threads", "max-clients");

    /** The option's name by what k6, Locust, wrk and others call it, both without dashes. These names do not work. */
    private static final Map<String, String> OF_OTHERS = Map.of(
            "vus", "clients", "users", "clients", "connections", "clients", "concurrency", "clients", "qps", "rate");

    /** An option that only commands have that read a dump. */
    private static final String OF_DUMPS = "exclude";

    /**
     * What to use in the place of a name.
     *
     * @param option the option, without dashes, of the commands that this is true for; empty: all
     */
    private record Instead(String text, String option) {
        boolean isFor(Collection<String> names) {
            return option.isEmpty() || names.contains(option);
        }
    }

    /** By name, without dashes. */
    private static final Map<String, Instead> INSTEAD = Map.ofEntries(
            instead("username", "is not an option; use --user", "user"),
            instead("order-seed", "is not an option; seed: at the top of a scenario sets the order of the blocks", ""),
            instead(
                    "id-slice",
                    "is not an option; use --agents to share ids between hosts, or a database per host",
                    "agents"),
            instead("block", "is not an option; --duration is the length of a block", "duration"),
            instead("watch-command", "is not an option; --watch-host uses ssh", "watch-host"),
            instead(
                    "disk-bound",
                    "is not an option; the report shows the size of the table and the servers' memory",
                    "duration"),
            instead("live-host", "is not an option; use --live HOST:PORT", "live"),
            instead("prometheus-host", "is not an option; use --prometheus HOST:PORT", "prometheus"),
            instead(
                    "time-series",
                    "is not an option; export time series with $out to an ordinary collection first",
                    OF_DUMPS),
            instead("uri", "is not an option; use --url, which names a server of PostgreSQL", "url"),
            instead("drop", "is not an option; use --if-exists drop", "if-exists"),
            instead("archive", "is not an option; name the archive after the command", OF_DUMPS),
            instead("gzip", "is not needed; compressed files are recognized", OF_DUMPS),
            instead("column-mode", "is not an option; the server always generates the columns", ""));

    private OptionNames() {}

    /** The name of the option that has this name or this second name. */
    public static String of(String name) {
        return ALIASES.getOrDefault(name, name);
    }

    /**
     * The option that was probably meant by a name that none has: what other tools call so, or else one with a similar name.
     *
     * @param names those that there are, without dashes
     */
    public static Optional<String> meant(String name, Collection<String> names) {
        return Nearest.of(OF_OTHERS.getOrDefault(name, name), withSecondNames(names));
    }

    /** These names of options and their second names. */
    private static Set<String> withSecondNames(Collection<String> names) {
        Set<String> all = new TreeSet<>(names);
        ALIASES.forEach((second, name) -> {
            if (names.contains(name)) {
                all.add(second);
            }
        });
        return all;
    }

    /** The words of a command line, with the options' own names. */
    public static List<String> inWords(List<String> words) {
        return words.stream().map(OptionNames::inWord).toList();
    }

    private static String inWord(String word) {
        if (!word.startsWith("--")) {
            return word;
        }
        int end = word.indexOf('=') < 0 ? word.length() : word.indexOf('=');
        return "--" + of(word.substring(2, end)) + word.substring(end);
    }

    private static Map.Entry<String, Instead> instead(String name, String text, String option) {
        return Map.entry(name, new Instead(text, option));
    }

    /**
     * What is wrong with this option, and what to use; an empty string if it is not one of them.
     *
     * @param names those that the command has, without dashes
     */
    public static String instead(String name, Collection<String> names) {
        Instead instead = INSTEAD.get(name);
        return instead != null && instead.isFor(names) ? instead.text() : "";
    }
}
