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

    /** By name, without dashes. */
    private static final Map<String, String> INSTEAD = Map.ofEntries(
            Map.entry("username", "is not an option; use --user"),
            Map.entry("order-seed", "is not an option; seed: at the top of a scenario sets the order of the blocks"),
            Map.entry("id-slice", "is not an option; use --agents to share ids between hosts, or a database per host"),
            Map.entry("block", "is not an option; --duration is the length of a block"),
            Map.entry("watch-command", "is not an option; --watch-host uses ssh"),
            Map.entry("disk-bound", "is not an option; the report shows the size of the table and the servers' memory"),
            Map.entry("live-host", "is not an option; use --live HOST:PORT"),
            Map.entry("prometheus-host", "is not an option; use --prometheus HOST:PORT"),
            Map.entry("time-series", "is not an option; export time series with $out to an ordinary collection first"),
            Map.entry("uri", "is not an option; use --url, which names a server of PostgreSQL"),
            Map.entry("drop", "is not an option; use --if-exists drop"),
            Map.entry("archive", "is not an option; name the archive after import"),
            Map.entry("gzip", "is not needed; compressed files are recognized"),
            Map.entry("column-mode", "is not an option; the server always generates the columns"));

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

    /** What is wrong with this option, and what to use; an empty string if it is not one of them. */
    public static String instead(String name) {
        return INSTEAD.getOrDefault(name, "");
    }
}
