package io.pgstress.report;

import io.pgstress.plan.option.Forms;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The {@link Workload} of a sample, from the texts of its options. */
public final class ScenarioWorkload {
    private final Map<String, Object> scenario;

    private ScenarioWorkload(Map<String, Object> scenario) {
        this.scenario = scenario;
    }

    public static Workload of(Map<String, Object> scenario) {
        ScenarioWorkload texts = new ScenarioWorkload(scenario);
        return new Workload(
                text(scenario, "op"),
                texts.number("clients"),
                rates(text(scenario, "rate")),
                null,
                texts.orNull("arrival"),
                texts.orNull("statement"),
                texts.orNull("query-mode"),
                texts.orNull("pool"),
                texts.number("pool-size"),
                text(scenario, "transaction").equals("true"),
                texts.number("fetch-size"),
                texts.orNull("key-distribution"),
                text(scenario, "warmup").equals("auto"),
                share(text(scenario, "max-error-rate")),
                Map.of(),
                Forms.list(text(scenario, "accept")).stream()
                        .map(RemarkCode::ofWord)
                        .toList());
    }

    /** The option's value, several joined by commas; an empty string if there is none. */
    static String text(Map<String, Object> scenario, String option) {
        Object value = scenario.get(option);
        return value instanceof List<?> list
                ? list.stream().map(Objects::toString).collect(Collectors.joining(","))
                : Objects.toString(value, "");
    }

    private @Nullable String orNull(String option) {
        String text = text(scenario, option);
        return text.isEmpty() ? null : text;
    }

    /** A whole number; 0 if there is none, such as {@code auto}. */
    private int number(String option) {
        String text = text(scenario, option);
        return text.matches("\\d{1,9}") ? Integer.parseInt(text) : 0;
    }

    /** {@code 1%} or {@code 0.01}. */
    private static @Nullable Double share(String text) {
        if (text.isEmpty()) {
            return null;
        }
        return text.endsWith("%")
                ? Double.parseDouble(text.substring(0, text.length() - 1)) / 100
                : Double.parseDouble(text);
    }

    /** {@code 4000}, the steps {@code 50,100}, or those of several hosts, {@code 50,100 + 50,100}. */
    private static List<Double> rates(String text) {
        List<Double> sums = new ArrayList<>();
        for (String host : text.isEmpty() ? new String[0] : text.split("\\+")) {
            List<String> steps = List.of(host.split(","));
            for (int i = 0; i < steps.size(); i++) {
                double rate = Double.parseDouble(steps.get(i).trim());
                if (i < sums.size()) {
                    sums.set(i, sums.get(i) + rate);
                } else {
                    sums.add(rate);
                }
            }
        }
        return sums;
    }
}
