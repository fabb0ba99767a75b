package io.pgstress.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.text.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The Grafana dashboard keeps the rules of Grafana's own schema, as far as it uses them: {@code #Panel}, {@code #GridPos} and
 * {@code #VariableModel} in {@code kinds/dashboard/dashboard_kind.cue} of grafana/grafana.
 */
final class DashboardSchemaTest {
    private static final int COLUMNS = 24;
    private static final Set<String> VARIABLE_TYPES =
            Set.of("query", "adhoc", "constant", "datasource", "interval", "textbox", "custom", "system");

    private final String text;
    private final Map<String, Object> dashboard;

    DashboardSchemaTest() throws IOException {
        text = Files.readString(Path.of("deploy/grafana/dashboard.json"));
        dashboard = Json.readMap(text);
    }

    @Test
    void everyPanelHasWhatGrafanaRequires() {
        assertThat(panels()).isNotEmpty().allSatisfy(panel -> {
            assertThat(panel.get("type")).isIn("timeseries", "heatmap");
            assertThat(map(panel, "fieldConfig")).containsKeys("defaults", "overrides");
            assertThat(map(panel, "options")).isNotNull();
            assertThat(map(panel, "datasource")).containsEntry("uid", "${datasource}");
            assertThat(list(panel, "targets"))
                    .extracting(t -> t.get("refId"))
                    .doesNotContainNull()
                    .doesNotHaveDuplicates();
        });
        assertThat(panels()).extracting(panel -> panel.get("id")).doesNotHaveDuplicates();
    }

    @Test
    void panelsDoNotOverlapAndFitTheGrid() {
        Set<List<Integer>> taken = new HashSet<>();
        for (Map<String, Object> panel : panels()) {
            Map<String, Object> place = map(panel, "gridPos");
            int left = (int) place.get("x");
            int top = (int) place.get("y");
            int width = (int) place.get("w");
            int height = (int) place.get("h");
            assertThat(width).isBetween(1, COLUMNS - left);
            assertThat(height).isPositive();
            for (int cell = 0; cell < width * height; cell++) {
                assertThat(taken.add(List.of(left + cell % width, top + cell / width)))
                        .as("%s at %s", panel.get("title"), place)
                        .isTrue();
            }
        }
    }

    @Test
    void everyVariableIsDefined() {
        List<Map<String, Object>> variables = list(map(dashboard, "templating"), "list");
        assertThat(variables).extracting(v -> v.get("type")).allMatch(VARIABLE_TYPES::contains);
        Set<String> used = Pattern.compile("\\$\\{?(\\w+)")
                .matcher(text)
                .results()
                .map(m -> m.group(1))
                .filter(name -> !name.startsWith("__")) // Grafana's own
                .collect(Collectors.toSet());
        assertThat(variables).extracting(v -> (String) v.get("name")).containsExactlyInAnyOrderElementsOf(used);
    }

    private List<Map<String, Object>> panels() {
        return list(dashboard, "panels");
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Map<String, Object> json, String name) {
        return (Map<String, Object>) json.get(name);
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(Map<String, Object> json, String name) {
        return (List<Map<String, Object>>) json.get(name);
    }
}
