package io.pgstress.compare;

import io.pgstress.machine.Environment;
import io.pgstress.machine.MachineProfile;
import io.pgstress.plan.RunLoadOptions;
import io.pgstress.plan.ThinkTime;
import io.pgstress.plan.option.Durations;
import io.pgstress.result.Comparison;
import io.pgstress.result.Result;
import io.pgstress.result.RunInfo;
import io.pgstress.result.RunResult;
import io.pgstress.result.ServerInfo;
import io.pgstress.result.Workload.Think;
import io.pgstress.text.Rounded;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The load, the machines and the software that a result was measured with, and which may explain why another result differs. Immutable.
 *
 * @param load what was run; a difference from another load says nothing of what carried it
 * @param facts by name, such as {@code client's CPU model}; what is unknown is absent
 * @param settings the servers' settings that differ from their defaults; empty if unknown
 */
record Circumstances(Map<String, String> load, Map<String, String> facts, Map<String, String> settings) {
    /** A setting that only one of two results names. */
    private static final String DEFAULT = "default";

    private static final double BYTES_PER_GB = 1e9;

    /** The circumstances of a result; of a scaling without the properties of machines, which it does not have. */
    public static Circumstances of(Result result) {
        Map<String, String> load = new LinkedHashMap<>();
        put("operations", isVaried(result, "op") ? "" : operations(result), load);
        put("table", isVaried(result, "table") ? "" : result.dataset().table(), load);
        put("loop", isVaried(result, "rate") ? "" : loop(result), load);
        put("think time", isVaried(result, "think") ? "" : thinkTime(result.run()), load);
        Map<String, String> facts = new LinkedHashMap<>();
        put("warm-up", isVaried(result, RunLoadOptions.WARMUP.name()) ? "" : warmup(result.run()), facts);
        put("client's CPUs", Integer.toString(result.client().cpus()), facts);
        put("client's system", result.client().os(), facts);
        put("JVM", result.client().jvm(), facts);
        put("event loops by", result.client().polling(), facts);
        put(
                "pgstress",
                result.header().tool().version() + " "
                        + Objects.toString(result.header().tool().commit(), ""),
                facts);
        put("driver", result.header().tool().driver(), facts);
        put("server", joined(result.servers().stream().map(Circumstances::version)), facts);
        List<MachineProfile> machines = machines(result);
        machines("client's", machines.stream().filter(MachineProfile::generatesLoad), facts);
        machines("servers'", machines.stream().filter(m -> !m.generatesLoad()), facts);
        Map<String, Set<String>> settings = new TreeMap<>();
        result.servers()
                .forEach(s -> s.settings()
                        .forEach((name, value) -> settings.computeIfAbsent(name, n -> new TreeSet<>())
                                .add(value)));
        Map<String, String> values = new TreeMap<>();
        settings.forEach((name, all) -> values.put(name, String.join(", ", all)));
        return new Circumstances(load, facts, values);
    }

    private static String operations(Result result) {
        return result instanceof RunResult run
                ? run.mix()
                : result.run().workload().mix();
    }

    private static String loop(Result result) {
        List<Double> rates = result.run().workload().rates();
        return rates.isEmpty()
                ? "closed"
                : "open at "
                        + rates.stream()
                                .map(rate -> Rounded.format("%,.1f", rate))
                                .collect(Collectors.joining(", "))
                        + " ops/s";
    }

    /** Empty if unknown: older results have it only among their options, or not at all. */
    private static String thinkTime(RunInfo run) {
        Think typed = run.workload().think();
        String option = run.optionText(RunLoadOptions.THINK.name());
        if (typed == null && option.isEmpty()) {
            return "";
        }
        ThinkTime time = ThinkTime.parse(option.isEmpty() ? "0" : option);
        Think think = typed == null ? new Think(time.nanos() / 1e3, time.isExponential()) : typed;
        return think.micros() == 0
                ? "none"
                : Rounded.format("%,.3f ms", think.micros() / 1e3) + (think.exponential() ? " on average" : "");
    }

    /** Empty if unknown. */
    private static String warmup(RunInfo run) {
        String option = run.optionText(RunLoadOptions.WARMUP.name());
        return option.isEmpty() || option.equals("auto")
                ? option
                : Rounded.format("%,.1f s", Durations.parse(option).toNanos() / 1e9);
    }

    /** Whether an option differs between the variants of a comparison. */
    private static boolean isVaried(Result result, String option) {
        return result instanceof Comparison comparison
                && comparison.variants().stream().anyMatch(v -> v.options().containsKey(option));
    }

    /** How the load differs, with both values. */
    List<String> loadDifferences(Circumstances earlier) {
        List<String> all = new ArrayList<>();
        load.forEach((name, now) -> difference(name, earlier.load.getOrDefault(name, now), now, all));
        return all;
    }

    /**
     * What else is different, with both values. What is known on one side only is no difference.
     *
     * @param earlier those to compare with
     * @param requested settings that differ on purpose, in lower case
     */
    public List<String> differences(Circumstances earlier, Set<String> requested) {
        List<String> all = new ArrayList<>();
        facts.forEach((name, now) -> difference(name, earlier.facts.getOrDefault(name, now), now, all));
        if (!settings.isEmpty() && !earlier.settings.isEmpty()) {
            Stream.concat(settings.keySet().stream(), earlier.settings.keySet().stream())
                    .distinct()
                    .sorted()
                    .filter(name -> !requested.contains(name.toLowerCase(Locale.ROOT)))
                    .forEach(name -> difference(
                            name,
                            earlier.settings.getOrDefault(name, DEFAULT),
                            settings.getOrDefault(name, DEFAULT),
                            all));
        }
        return all;
    }

    private static void difference(String name, String then, String now, List<String> all) {
        if (!then.equals(now)) {
            all.add(name + ": " + then + " -> " + now);
        }
    }

    /** The version without the platform it was compiled for; old results may lack it. */
    private static @Nullable String version(ServerInfo server) {
        String version = server.version();
        return version == null ? null : version.replaceFirst(" on .*", "");
    }

    private static List<MachineProfile> machines(Result result) {
        if (result instanceof Comparison comparison) {
            return comparison.machines();
        }
        return result instanceof RunResult run ? run.serverProfile().machines().all() : List.of();
    }

    private static void machines(String whose, Stream<MachineProfile> machines, Map<String, String> facts) {
        List<Environment> all =
                machines.flatMap(m -> Stream.ofNullable(m.environment())).toList();
        property(whose + " CPU model", all, Environment::cpuModel, facts);
        property(whose + " number of CPUs", all, Environment::cpus, facts);
        property(whose + " memory", all, e -> gigabytes(e.memoryBytes()), facts);
        property(whose + " kernel", all, Environment::kernel, facts);
        property(whose + " virtualization", all, Environment::virtualization, facts);
        property(whose + " CPU governor", all, Environment::governor, facts);
        property(whose + " data device", all, Environment::dataDevice, facts);
    }

    private static void property(
            String name, List<Environment> all, Function<Environment, @Nullable Object> of, Map<String, String> facts) {
        put(
                name,
                joined(all.stream().flatMap(e -> Stream.ofNullable(of.apply(e))).map(Object::toString)),
                facts);
    }

    /** A kernel reserves more or less of the same memory, so the value is rounded. */
    private static @Nullable String gigabytes(@Nullable Long bytes) {
        return bytes == null ? null : Rounded.format("%.1f GB", bytes / BYTES_PER_GB);
    }

    private static String joined(Stream<? extends @Nullable String> values) {
        return values.filter(Objects::nonNull).distinct().sorted().collect(Collectors.joining(", "));
    }

    private static void put(String name, @Nullable String value, Map<String, String> facts) {
        if (value != null && !value.isEmpty()) {
            facts.put(name, value.strip());
        }
    }
}
