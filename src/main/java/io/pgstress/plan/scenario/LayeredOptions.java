package io.pgstress.plan.scenario;

import io.pgstress.plan.option.Option;
import io.pgstress.plan.scenario.ScenarioDraft.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Options in several layers: later layers override earlier ones, and each option remembers its origin. Not thread-safe. */
final class LayeredOptions {
    /** The option whose values are merged by name instead of being replaced. */
    private static final String SETTINGS = "set";

    /** Selects the servers of {@code url} that a variant runs on. */
    static final String SERVERS = "servers";

    private final Map<String, List<String>> values = new LinkedHashMap<>();
    private final Map<String, String> origins = new LinkedHashMap<>();

    private final Set<String> repeating;

    /** @param known all options of a run */
    LayeredOptions(List<Option<?>> known) {
        repeating = known.stream().filter(Option::repeats).map(Option::name).collect(Collectors.toSet());
    }

    /** Adds a layer; the origin of its options begins with {@code name}, such as {@code base.}. */
    void add(String name, Map<String, Value> layer) {
        layer.forEach((option, value) -> {
            values.put(option, option.equals(SETTINGS) ? settings(value.texts()) : texts(option, value));
            origins.put(option, value.line() > 0 ? "line " + value.line() + ": " + name + option : "--" + option);
        });
    }

    /** Removes an option from the layers added so far. */
    void drop(String option) {
        values.remove(option);
        origins.remove(option);
    }

    /** If the option takes a single value, a list becomes its short form, such as {@code find_first:3,find_update:1}. */
    private List<String> texts(String option, Value value) {
        return !repeating.contains(option)
                        && !option.equals(SERVERS)
                        && value.texts().size() > 1
                ? List.of(String.join(",", value.texts()))
                : value.texts();
    }

    private List<String> settings(List<String> added) {
        Map<String, String> byName = new LinkedHashMap<>();
        for (List<String> layer : List.of(values.getOrDefault(SETTINGS, List.of()), added)) {
            layer.forEach(text -> byName.put(text.replaceFirst("=.*", "").trim(), text));
        }
        return new ArrayList<>(byName.values());
    }

    /** The options of a run, with {@code servers} applied to {@code url}. */
    Map<String, List<String>> forRun() {
        Map<String, List<String>> run = new LinkedHashMap<>(values);
        List<String> servers = run.remove(SERVERS);
        List<String> urls = values.getOrDefault("url", List.of());
        if (servers != null) {
            run.put("url", chosen(servers, urls));
        }
        return run;
    }

    /** Servers by number, from 1: {@code 1}, {@code 2-5}, {@code 2-}, {@code all}; several parts are separated by commas. */
    private static List<String> chosen(List<String> servers, List<String> urls) {
        if (urls.isEmpty()) {
            throw new IllegalArgumentException("selects servers, but no --url is given; give one for each server");
        }
        List<String> chosen = new ArrayList<>();
        for (String part : String.join(",", servers).split(",", -1)) {
            if (part.trim().equals("all")) {
                chosen.addAll(urls);
                continue;
            }
            String[] ends = part.trim().split("-", 2);
            int from = number(ends[0], part, urls.size());
            int to = ends.length == 1 ? from : ends[1].isEmpty() ? urls.size() : number(ends[1], part, urls.size());
            for (int i = from; i <= to; i++) {
                chosen.add(urls.get(i - 1));
            }
        }
        return chosen;
    }

    private static int number(String text, String part, int most) {
        int number;
        try {
            number = Integer.parseInt(text.trim());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "must be numbers of servers such as 1, 2-5, 2- or all, was '" + part.trim() + "'", e);
        }
        if (number < 1 || number > most) {
            throw new IllegalArgumentException("names server " + number + ", but " + most + " url "
                    + (most == 1 ? "is" : "are") + " given (--url, once for each server)");
        }
        return number;
    }

    /** Where the option was set; {@code otherwise} if it was not. */
    String origin(String option, String otherwise) {
        return origins.getOrDefault(option, otherwise + option);
    }
}
