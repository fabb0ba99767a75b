package io.pgstress.compare;

import io.pgstress.machine.Environment;
import io.pgstress.machine.MachineProfile;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.result.ServerInfo;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The servers' settings that decide what a commit costs. Servers that differ in them do not do the same work. */
public final class Durability {
    private Durability() {}

    /**
     * The settings of a run's servers, by the servers' names. The values are those of the servers, without the run's own settings, if
     * the servers' machines could be read; or else those of the servers that clients connected to.
     */
    public static Map<String, Map<String, String>> of(RunResult run) {
        Map<String, Map<String, String>> known = new LinkedHashMap<>();
        for (MachineProfile host : run.serverProfile().machines().hosts()) {
            if (host.environment() != null && host.environment().settings() != null) {
                known.put(host.title(), host.environment().settings());
            }
        }
        if (known.isEmpty()) {
            for (ServerInfo server : run.servers()) {
                Map<String, String> settings = new TreeMap<>(server.settings());
                settings.keySet().retainAll(Environment.DURABILITY);
                known.put(MachineProfile.shortNameOf(server.url()), settings);
            }
        }
        return known;
    }

    /**
     * A warning for each setting in which servers differ.
     *
     * @param servers the settings of each variant's servers, by the servers' names
     * @param requested settings that a variant requests, which differ on purpose
     */
    public static List<Remark> differences(
            Collection<Map<String, Map<String, String>>> servers, Set<String> requested) {
        List<Remark> words = new ArrayList<>();
        for (String setting : Environment.DURABILITY) {
            Map<String, Set<String>> byValue = new LinkedHashMap<>();
            servers.forEach(some -> some.forEach((name, settings) -> {
                String value = settings.get(setting);
                if (value != null) {
                    byValue.computeIfAbsent(value, v -> new TreeSet<>()).add(name);
                }
            }));
            if (byValue.size() > 1 && !requested.contains(setting)) {
                words.add(RemarkCode.SERVERS_DIFFER
                        .with("setting", setting)
                        .with(
                                "values",
                                byValue.entrySet().stream()
                                        .map(of -> of.getKey() + " (" + String.join(", ", of.getValue()) + ")")
                                        .collect(Collectors.joining(", ")))
                        .remark());
            }
        }
        return words;
    }
}
