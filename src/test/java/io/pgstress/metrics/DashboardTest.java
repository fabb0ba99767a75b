package io.pgstress.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.report.BulkSample;
import io.pgstress.report.HostsSample;
import io.pgstress.report.Samples;
import io.pgstress.text.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The Grafana dashboard and the metrics use the same names. */
final class DashboardTest {
    private static final Pattern METRIC = Pattern.compile("\\b(?:pgstress|jvm|system|process)_[a-z0-9_]+");
    private static final Pattern SELECTOR = Pattern.compile("\\b([a-z]+_[a-z0-9_]+)\\{([^}]*)}");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=");

    private final String dashboard;
    private final Map<String, Set<String>> labels;

    DashboardTest() throws IOException {
        dashboard = String.join(
                "\n", expressions(Json.readMap(Files.readString(Path.of("deploy/grafana/dashboard.json")))));
        try (RunMetrics metrics = new RunMetrics()) {
            metrics.begins(Samples.open());
            Samples.open().intervals().forEach(metrics::interval);
            BulkSample.run().intervals().forEach(metrics::interval);
            HostsSample.unjudged().intervals().forEach(metrics::interval);
            metrics.pool("jdbc:postgresql://a/db", () -> Map.of("active", 3, "waiting", 1));
            labels = labels(metrics.scrape());
        }
    }

    @Test
    void servesEveryNameOnTheDashboard() {
        assertThat(labels.keySet()).containsAll(names(dashboard)).hasSizeGreaterThan(10);
    }

    @Test
    void dashboardShowsEveryMetric() {
        assertThat(names(dashboard))
                .containsAll(labels.keySet().stream()
                        .filter(n -> n.startsWith("pgstress_"))
                        .toList());
    }

    @Test
    void servesEveryLabelOnTheDashboard() {
        Matcher selector = SELECTOR.matcher(dashboard);
        while (selector.find()) {
            Matcher label = LABEL.matcher(selector.group(2).replace("=~", "="));
            while (label.find()) {
                // Prometheus itself adds the instance
                assertThat(Set.of(label.group(1)))
                        .as(selector.group())
                        .isSubsetOf(union(labels.get(selector.group(1)), "instance"));
            }
        }
    }

    private static Set<String> union(Set<String> labels, String more) {
        Set<String> union = new TreeSet<>(labels);
        union.add(more);
        return union;
    }

    private static Set<String> names(String text) {
        return METRIC.matcher(text).results().map(m -> m.group()).collect(Collectors.toCollection(TreeSet::new));
    }

    /** The labels of each name in a scrape. */
    private static Map<String, Set<String>> labels(String scrape) {
        return scrape.lines()
                .filter(line -> !line.startsWith("#"))
                .collect(Collectors.toMap(
                        line -> line.replaceAll("[{ ].*", ""),
                        line -> LABEL.matcher(line)
                                .results()
                                .map(m -> m.group(1))
                                .collect(Collectors.toSet()),
                        (a, b) -> {
                            a.addAll(b);
                            return a;
                        }));
    }

    /** All texts named {@code expr} or {@code query}, at any depth. */
    private static List<String> expressions(Object json) {
        List<String> found = new ArrayList<>();
        if (json instanceof Map<?, ?> map) {
            map.forEach((name, value) -> {
                if ((name.equals("expr") || name.equals("query")) && value instanceof String text) {
                    found.add(text);
                }
                found.addAll(expressions(value));
            });
        } else if (json instanceof List<?> list) {
            list.forEach(value -> found.addAll(expressions(value)));
        }
        return found;
    }
}
