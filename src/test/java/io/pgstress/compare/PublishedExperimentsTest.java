package io.pgstress.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.pgstress.compare.statistics.Holm;
import io.pgstress.compare.statistics.Interval;
import io.pgstress.compare.statistics.Sample;
import io.pgstress.measure.LatencyHistogram;
import io.pgstress.text.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The figures of docs/dev/experiments.md, as bench/experiments writes them, are those of the results in docs/measured, and these are
 * those of their blocks.
 */
final class PublishedExperimentsTest {
    private static final Path RESULTS = Path.of("docs/measured");
    private static final Path PAGE = Path.of("docs/dev/experiments.md");
    private static final String TABLE = "<!--results-->\n";
    private static final String MISSING = "not measured";

    /** Such as {@code <!--34-2: ratio of 128 shards to 8 shards-->0.92 [0.85, 0.99]<!---->}. */
    private static final Pattern FIGURE =
            Pattern.compile("(<!--([\\w-]*): (\\w+)(?: of (.+?)(?: to (.+?))?)?-->)(.*?)<!---->");

    /** Comments, and the addresses of links. */
    private static final Pattern OUTSIDE = Pattern.compile("<!--.*?-->|\\]\\([^)]*\\)");

    private static final Pattern SCENARIO = Pattern.compile("\\.\\./(config/[\\w.-]+)");
    private static final Pattern NUMBER = Pattern.compile("(?<![\\w.-])\\d+(?:,\\d{3})*(?:\\.\\d+)?");

    private static final Map<String, Map<String, Object>> KEPT = new TreeMap<>();

    private static String page = "";

    @BeforeAll
    static void readPage() throws IOException {
        page = Files.readString(PAGE);
        for (String name : results().toList()) {
            KEPT.put(name, read(name));
        }
    }

    private static Map<String, Object> read(String name) throws IOException {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(RESULTS.resolve(name + ".json.gz")))) {
            return Json.readMap(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    static Stream<String> results() throws IOException {
        try (Stream<Path> files = Files.list(RESULTS)) {
            return files.map(file -> file.getFileName().toString().replace(".json.gz", "")).sorted().toList().stream();
        }
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(Map<String, Object> of, String name) {
        return (List<Map<String, Object>>) of.getOrDefault(name, List.of());
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Map<String, Object> of, String name) {
        return (Map<String, Object>) of.getOrDefault(name, Map.of());
    }

    private static double number(Map<String, Object> of, String name) {
        return ((Number) Objects.requireNonNull(of.get(name), name)).doubleValue();
    }

    private static String text(Map<String, Object> of, String name) {
        return Objects.requireNonNull(of.get(name), name).toString();
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

    /** The only operation of a variant. */
    @SuppressWarnings("unchecked")
    private static Map<String, Object> operation(Map<String, Object> variant) {
        List<Object> all = List.copyOf(map(variant, "operations").values());
        assertThat(all).hasSize(1);
        return (Map<String, Object>) all.get(0);
    }

    @ParameterizedTest
    @MethodSource("results")
    void figuresOfAResultAreThoseOfItsBlocks(String name) {
        Map<String, Object> result = Objects.requireNonNull(KEPT.get(name));
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
            List<Map<String, Object>> blocks = list(result, "blocks").stream()
                    .filter(b -> Objects.equals(b.get("variant"), variant.get("name")))
                    .toList();
            assertThat(number(variant, "blocks")).isEqualTo(blocks.size());
            double counted = number(operation(variant), "okInWindow") / sum(blocks, "seconds");
            // as for the blocks, by Little's law where clients completed few operations, or counted, as by older
            // versions
            assertThat(number(variant, "opsPerSecond"))
                    .satisfiesAnyOf(
                            rate -> assertThat(rate)
                                    .isCloseTo(sum(blocks, "opsPerSecond") / blocks.size(), withinPercentage(0.01)),
                            rate -> assertThat(rate).isCloseTo(counted, withinPercentage(1)));
            Map<String, Object> total = map(map(operation(variant), "latencyMicros"), "total");
            LatencyHistogram histogram = LatencyHistogram.decode(text(total, "histogram"));
            assertThat(number(total, "p50")).isCloseTo(histogram.micros(50), withinPercentage(0.1));
            assertThat(number(total, "p99")).isCloseTo(histogram.micros(99), withinPercentage(0.1));
        }
    }

    private static double sum(List<Map<String, Object>> of, String name) {
        return of.stream().mapToDouble(each -> number(each, name)).sum();
    }

    private static String rounded(double value, int digits) {
        return String.format(Locale.ROOT, "%,." + digits + "f", value);
    }

    private static String significant(double value) {
        return rounded(value, value >= 100 ? 0 : value >= 10 ? 1 : 2);
    }

    /** The ratio of two variants; to the baseline, as the result has it. */
    private static Interval ratio(Map<String, Object> result, String variant, String other) {
        String baseline = text(result, "baseline");
        if (variant.equals(baseline)) {
            Interval i = ratio(result, other, variant);
            return new Interval(1 / i.value(), 1 / i.high(), 1 / i.low());
        }
        if (!other.equals(baseline)) {
            return new Sample(logRatios(result, variant, other))
                    .interval(number(result, "confidence"))
                    .exp();
        }
        Map<String, Object> effect = effects(result).stream()
                .filter(e -> variant.equals(e.get("variant")))
                .findFirst()
                .orElseThrow();
        return new Interval(number(effect, "ratio"), number(effect, "low"), number(effect, "high"));
    }

    private static String words(Interval i) {
        int digits = i.value() < 0.1 ? 3 : 2;
        return rounded(i.value(), digits) + " [" + rounded(i.low(), digits) + ", " + rounded(i.high(), digits) + "]";
    }

    private static String rounds(Map<String, Object> result, Map<String, Object> variant) {
        long planned = (long) number(map(map(result, "run"), "scenario"), "rounds");
        long done = (long) number(variant, "blocks");
        return done
                + (done == planned ? "" : " of " + planned)
                + (Boolean.TRUE.equals(result.get("valid")) ? "" : ", not valid")
                + (result.getOrDefault("bench", "").toString().startsWith("busy") ? ", busy machine" : "");
    }

    private static String clients(Map<String, Object> result, Map<String, Object> variant) {
        Map<String, Object> options = new HashMap<>(map(map(result, "run"), "scenario"));
        options.putAll(map(variant, "options"));
        Object own = options.getOrDefault("clients", options.get("threads")); // as older versions named the option
        return rounded(
                own == null
                        ? number(map(map(result, "run"), "workload"), "clients")
                        : Double.parseDouble(own.toString()),
                0);
    }

    private static String cpu(Map<String, Object> variant) {
        String nodes = list(variant, "machines").stream()
                .filter(node -> node.get("processCpu") != null)
                .map(PublishedExperimentsTest::cpuOfNode)
                .collect(Collectors.joining(", "));
        return nodes.isEmpty() ? "machine " + rounded(100 * busiest(variant), 0) + "%" : nodes;
    }

    private static double busiest(Map<String, Object> variant) {
        Map<String, Object> facts = map(variant, "facts");
        return facts.keySet().stream()
                .filter(fact -> fact.startsWith("cpuBusy "))
                .mapToDouble(fact -> number(facts, fact))
                .max()
                .orElseThrow();
    }

    private static String cpuOfNode(Map<String, Object> node) {
        String role = text(node, "role");
        Map<String, Object> quota = map(map(node, "use"), "quota");
        return (role.isEmpty() ? text(node, "node") : role)
                + " "
                + rounded(100 * number(node, "processCpu"), 0)
                + "%"
                + (quota.isEmpty()
                        ? ""
                        : " (throttled " + rounded(100 * number(quota, "throttled"), 0) + "% at "
                                + rounded(number(quota, "cores"), 2) + " cores)");
    }

    private static String latency(Map<String, Object> variant, String percentile) {
        return significant(number(map(map(operation(variant), "latencyMicros"), "total"), percentile) / 1000);
    }

    private static String megabits(Map<String, Object> variant, String fact) {
        return significant(number(map(variant, "facts"), fact) * number(variant, "opsPerSecond") * 8 / 1e6);
    }

    private static String link(String name) {
        return "[" + name + "](../measured/" + name + ".json.gz)";
    }

    /** The lines of the table of all results. */
    private static List<String> table(Map<String, Map<String, Object>> results) {
        List<String> lines = new ArrayList<>();
        results.forEach((name, result) -> {
            String baseline = text(result, "baseline");
            for (Map<String, Object> variant : list(result, "variants")) {
                String own = text(variant, "name");
                lines.add("| "
                        + String.join(
                                " | ",
                                link(name),
                                text(map(result, "tool"), "commit"),
                                String.join("+", map(variant, "operations").keySet()),
                                own,
                                clients(result, variant),
                                significant(number(variant, "opsPerSecond")),
                                own.equals(baseline) ? "1" : words(ratio(result, own, baseline)),
                                rounds(result, variant),
                                latency(variant, "p50"),
                                latency(variant, "p99"),
                                megabits(variant, "bytesOutPerOperation"),
                                megabits(variant, "bytesInPerOperation"),
                                cpu(variant))
                        + " |");
            }
        });
        return lines;
    }

    /** The scenarios in whose results a server did not wait for its WAL. */
    private static String withoutDurability() {
        return KEPT.entrySet().stream()
                .filter(r -> list(r.getValue(), "servers").stream()
                        .anyMatch(server -> "off".equals(map(server, "settings").get("synchronous_commit"))))
                .map(r -> r.getKey().replaceFirst("-\\d+$", ""))
                .distinct()
                .collect(Collectors.joining(", "));
    }

    private static String sizes(Map<String, Object> result, String figure) {
        return list(map(result, "dataset"), "afterwards").stream()
                .filter(remark -> "TABLE_SIZES".equals(remark.get("code")))
                .map(remark -> rounded(number(map(remark, "figures"), figure), 2))
                .findFirst()
                .orElseThrow();
    }

    /** What stands between the two comments. */
    private static String expected(MatchResult figure) {
        Map<String, Object> result = KEPT.get(figure.group(2));
        if (figure.group(3).equals("withoutDurability")) {
            return withoutDurability();
        }
        if (result == null) {
            return MISSING;
        }
        return switch (figure.group(3)) {
            case "link" -> link(figure.group(2));
            case "rowsAfter" -> rounded(number(map(result, "dataset"), "rowsAfter"), 0);
            case "tables" -> sizes(result, "tablesRatio");
            case "tablesAndIndexes" -> sizes(result, "ratio");
            default ->
                list(result, "variants").stream()
                        .filter(variant -> figure.group(4).equals(variant.get("name")))
                        .map(variant -> expected(result, variant, figure.group(3), figure.group(5)))
                        .findFirst()
                        .orElse(MISSING);
        };
    }

    private static String expected(
            Map<String, Object> result, Map<String, Object> variant, String what, @Nullable String to) {
        String own = text(variant, "name");
        String other = to == null ? text(result, "baseline") : to;
        Map<String, Object> operation = operation(variant);
        return switch (what) {
            case "ratio" -> {
                String rounds = rounds(result, variant);
                yield words(ratio(result, own, other)) + (rounds.matches("\\d+") ? "" : " (" + rounds + ")");
            }
            case "faster" -> direction(ratio(result, own, other));
            case "slower" -> direction(ratio(result, other, own));
            case "rate" -> significant(number(variant, "opsPerSecond")) + "/s";
            case "p50", "p99" -> latency(variant, what) + " ms";
            case "rows" -> rounded(number(operation, "rows") / number(operation, "ok"), 0);
            case "rowRate" -> rounded(number(operation, "rowsPerSecond"), 0);
            case "cpu" -> cpu(variant);
            default -> fact(what, number(map(variant, "facts"), what));
        };
    }

    private static String direction(Interval i) {
        return i.low() > 1 ? "yes" : i.high() < 1 ? "opposite" : "no difference";
    }

    private static String fact(String name, double value) {
        if (name.contains("Micros")) {
            return rounded(value / 1000, 1) + " ms";
        }
        return name.contains("bytes") ? rounded(value / 1e6, 1) + " MB" : rounded(value, 2);
    }

    /** The lines of the page's table of all results. */
    private static List<String> rows() {
        int start = page.indexOf(TABLE) + TABLE.length();
        return page.substring(start, page.indexOf("<!--end-->", start))
                .lines()
                .skip(2)
                .toList();
    }

    /** The lines of the page above its table of all results. */
    private static List<String> lines() {
        return page.substring(0, page.indexOf(TABLE)).lines().toList();
    }

    /** Whether the figures of a line are what their comments say. */
    private static boolean hasRightFigures(String line) {
        return FIGURE.matcher(line).results().allMatch(figure -> figure.group(6).equals(expected(figure)));
    }

    @Test
    void figuresOfThePageAreThoseOfItsResults() {
        assertThat(FIGURE.matcher(page).results()).hasSizeGreaterThan(100);
        assertThat(lines()).as("bench/experiments --write writes them").allMatch(line -> hasRightFigures(line));
        assertThat(rows()).isEqualTo(table(KEPT));
    }

    @Test
    void everyResultIsInARowOfTheFindings() {
        assertThat(KEPT.keySet()).allSatisfy(name -> assertThat(page).contains("<!--" + name + ": link-->"));
    }

    /** The published figures, numbers of clients and sizes. */
    @Test
    void otherNumbersOfARowAreThoseOfItsScenario() throws IOException {
        List<String> rows =
                lines().stream().filter(line -> SCENARIO.matcher(line).find()).toList();
        assertThat(rows).hasSizeGreaterThan(20);
        for (String row : rows) {
            assertThat(scenarioNumbers(row)).as(row).containsAll(otherNumbers(row));
        }
    }

    /** The numbers in the scenarios that a row of the findings has links to. */
    private static Set<String> scenarioNumbers(String row) throws IOException {
        Set<String> known = new HashSet<>(Set.of("1"));
        for (String file : SCENARIO.matcher(row).results().map(m -> m.group(1)).toList()) {
            known.add(file.replaceFirst("config/(\\d+)-.*", "$1"));
            known.addAll(numbers(Files.readString(Path.of(file))));
        }
        return known;
    }

    private static List<String> otherNumbers(String row) {
        return numbers(OUTSIDE.matcher(FIGURE.matcher(row).replaceAll("")).replaceAll("]"));
    }

    private static List<String> numbers(String text) {
        return NUMBER.matcher(text)
                .results()
                .map(number -> number.group().replace(",", ""))
                .toList();
    }
}
