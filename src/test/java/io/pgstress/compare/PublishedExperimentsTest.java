package io.pgstress.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.pgstress.compare.statistics.Holm;
import io.pgstress.compare.statistics.Interval;
import io.pgstress.compare.statistics.Sample;
import io.pgstress.text.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The figures of docs/dev/experiments.md are those of the results in docs/measured, and these are those of their blocks. */
final class PublishedExperimentsTest {
    private static final Path RESULTS = Path.of("docs/measured");

    /** A ratio with its interval, as in {@code 1.44 [1.35, 1.52]}. */
    private static final Pattern RATIO = Pattern.compile("\\d+\\.\\d+ \\[\\d+\\.\\d+, \\d+\\.\\d+]");

    /** One or two rates in a measured cell: {@code 2,418 to 3,466/s}. */
    private static final Pattern RATES = Pattern.compile("([\\d,.]*\\d)(?: to ([\\d,.]*\\d))?/s");

    private static final Pattern LINK = Pattern.compile("measured/([\\w-]+)\\.json\\.gz");

    /** The columns of the two tables that quote published figures. */
    private static final Pattern PUBLISHED = Pattern.compile("^(\\| F\\d \\|[^|]*\\||\\| \\[[^|]*\\|)[^|]*\\|");

    private static Map<String, Object> result(String name) {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(RESULTS.resolve(name + ".json.gz")))) {
            return Json.readMap(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(Map<String, Object> result, String name) {
        return (List<Map<String, Object>>) Objects.requireNonNull(result.get(name));
    }

    private static double number(Map<String, Object> of, String name) {
        return ((Number) Objects.requireNonNull(of.get(name))).doubleValue();
    }

    /** The logarithms of a variant's rates to those of another one, round by round. */
    private static double[] logRatios(Map<String, Object> result, Object variant, Object other) {
        Map<Object, Map<Object, Double>> rounds = new LinkedHashMap<>();
        list(result, "blocks")
                .forEach(b -> rounds.computeIfAbsent(b.get("round"), r -> new HashMap<>())
                        .put(b.get("variant"), number(b, "opsPerSecond")));
        return rounds.values().stream()
                .mapToDouble(round ->
                        Math.log(Objects.requireNonNull(round.get(variant)) / Objects.requireNonNull(round.get(other))))
                .toArray();
    }

    private static List<Map<String, Object>> effects(Map<String, Object> result) {
        return list(result, "effects").stream()
                .filter(e -> Objects.equals(e.get("metric"), result.get("primary")))
                .toList();
    }

    static Stream<String> results() throws IOException {
        try (Stream<Path> files = Files.list(RESULTS)) {
            return files.map(file -> file.getFileName().toString().replace(".json.gz", "")).sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("results")
    void intervalsAreThoseOfTheBlocks(String name) {
        Map<String, Object> result = result(name);
        List<Map<String, Object>> effects = effects(result);
        List<Sample> samples = effects.stream()
                .map(e -> new Sample(logRatios(result, e.get("variant"), result.get("baseline"))))
                .toList();
        double[] confidences =
                Holm.confidences(samples.stream().mapToDouble(Sample::pValue).toArray(), number(result, "confidence"));
        for (int n = 0; n < effects.size(); n++) {
            Map<String, Object> effect = effects.get(n);
            Interval ratio = samples.get(n).interval(confidences[n]).exp();
            assertThat(number(effect, "ratio")).isCloseTo(ratio.value(), within(1e-6));
            assertThat(number(effect, "low")).isCloseTo(ratio.low(), within(1e-6));
            assertThat(number(effect, "high")).isCloseTo(ratio.high(), within(1e-6));
            assertThat(number(effect, "rounds")).isEqualTo(samples.get(n).size());
        }
        for (Map<String, Object> variant : list(result, "variants")) {
            double[] seconds = list(result, "blocks").stream()
                    .filter(b -> Objects.equals(b.get("variant"), variant.get("name")))
                    .mapToDouble(b -> number(b, "seconds"))
                    .toArray();
            assertThat(number(variant, "blocks")).isEqualTo(seconds.length);
            assertThat(number(variant, "opsPerSecond") * Arrays.stream(seconds).sum())
                    .isCloseTo(succeeded(variant), withinPercentage(1));
        }
    }

    private static double succeeded(Map<String, Object> variant) {
        return ((Map<?, ?>) Objects.requireNonNull(variant.get("operations")))
                .values().stream()
                        .mapToDouble(operation -> ((Number)
                                        Objects.requireNonNull(((Map<?, ?>) operation).get("okInWindow")))
                                .doubleValue())
                        .sum();
    }

    /** Ratios between any two variants in either direction, and rates, in the digits of the page. */
    private static Set<String> figures(Map<String, Object> result) {
        Set<String> figures = new HashSet<>();
        for (Map<String, Object> effect : effects(result)) {
            addBoth(new Interval(number(effect, "ratio"), number(effect, "low"), number(effect, "high")), figures);
        }
        for (Map<String, Object> variant : list(result, "variants")) {
            for (Map<String, Object> other : list(result, "variants")) {
                if (variant != other) {
                    double[] ratios = logRatios(result, variant.get("name"), other.get("name"));
                    addBoth(
                            new Sample(ratios)
                                    .interval(number(result, "confidence"))
                                    .exp(),
                            figures);
                }
            }
            double rate = number(variant, "opsPerSecond");
            figures.add(String.format(Locale.ROOT, "%,.0f", rate));
            figures.add(String.format(Locale.ROOT, "%.1f", rate));
            figures.add(String.format(Locale.ROOT, "%.2f", rate));
        }
        return figures;
    }

    private static void addBoth(Interval i, Set<String> figures) {
        for (int digits = 2; digits <= 3; digits++) {
            String format = "%%.%1$df [%%.%1$df, %%.%1$df]".formatted(digits);
            figures.add(String.format(Locale.ROOT, format, i.value(), i.low(), i.high()));
            figures.add(String.format(Locale.ROOT, format, 1 / i.value(), 1 / i.high(), 1 / i.low()));
        }
    }

    @Test
    void everyFigureOfTheTablesIsInItsResults() throws IOException {
        Set<String> linked = new HashSet<>();
        for (String row : Files.readAllLines(Path.of("docs/dev/experiments.md"))) {
            List<String> names =
                    LINK.matcher(row).results().map(m -> m.group(1)).toList();
            if (!row.startsWith("|") || names.isEmpty()) {
                continue;
            }
            linked.addAll(names);
            Set<String> found = new HashSet<>();
            for (String name : names) {
                Map<String, Object> result = result(name);
                assertThat(result).as(name).containsEntry("valid", true);
                found.addAll(figures(result));
            }
            String measured = PUBLISHED.matcher(row).replaceFirst("$1");
            assertThat(RATIO.matcher(measured).results().map(MatchResult::group))
                    .isSubsetOf(found);
            assertThat(RATES.matcher(measured)
                            .results()
                            .flatMap(m -> Stream.of(m.group(1), Objects.requireNonNullElse(m.group(2), m.group(1)))))
                    .isSubsetOf(found);
        }
        assertThat(results()).isSubsetOf(linked);
    }
}
