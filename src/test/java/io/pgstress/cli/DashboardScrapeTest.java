package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import io.pgstress.text.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each query of the Grafana dashboard finds a series in what Prometheus reads during runs. */
@Slow
final class DashboardScrapeTest {
    private static final Pattern SERIES = Pattern.compile("([a-z_:0-9]+)(?:\\{(.*)})? \\S+");
    private static final Pattern SELECTOR = Pattern.compile("([a-z]+_[a-z0-9_]+)\\{([^}]*)}");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

    /** Only runs of several hosts have it; its labels are checked by {@code DashboardTest}. */
    private static final String OF_SEVERAL_HOSTS = "pgstress_host_operations_total";

    /** The values that a user can choose for the variables of the dashboard; Prometheus adds the label of {@code $instance}. */
    private static final List<String> KINDS = List.of("total", "service", "acquire", "response");

    private record Series(String name, Map<String, String> labels) {
        boolean isFoundBy(String selected, Map<String, String> wanted) {
            return name.equals(selected) && labels.entrySet().containsAll(wanted.entrySet());
        }
    }

    @Test
    void everyQueryHasASeries() throws Exception {
        String url = TestServer.freshDatabase("dashboard");
        TestServer.table(url, "docs", 500);
        CompletableFuture<Set<Series>> load =
                beside(() -> scraped("-t docs -c 4 -R 300 --pool hikari --warmup 200ms -P 200ms -T 1 --url " + url));
        Set<Series> series =
                scraped("--op bulk_copy -c 1 --warmup 0 -P 200ms --rounds 4 --round-time 0.3 --url " + url);
        series.addAll(load.join());

        List<String> queries = queries(Json.readMap(Files.readString(Path.of("deploy/grafana/dashboard.json"))));
        List<String> empty = new ArrayList<>();
        int selectors = 0;
        for (String query : queries) {
            Matcher m = SELECTOR.matcher(query);
            while (m.find()) {
                selectors++;
                String name = m.group(1);
                for (Map<String, String> wanted : wanted(m.group(2))) {
                    if (!name.equals(OF_SEVERAL_HOSTS) && series.stream().noneMatch(s -> s.isFoundBy(name, wanted))) {
                        empty.add(name + wanted);
                    }
                }
            }
        }
        assertThat(selectors).isGreaterThan(20);
        assertThat(empty).isEmpty();
    }

    /** The labels that a selector asks for, with each value of {@code $kind}. */
    private static List<Map<String, String>> wanted(String matchers) {
        Map<String, String> labels = labels(matchers.replace("=~", "="));
        labels.remove("instance");
        if (!"$kind".equals(labels.get("kind"))) {
            return List.of(labels);
        }
        return KINDS.stream()
                .map(kind -> {
                    Map<String, String> one = new HashMap<>(labels);
                    one.put("kind", kind);
                    return one;
                })
                .toList();
    }

    private static Map<String, String> labels(String text) {
        Map<String, String> labels = new HashMap<>();
        LABEL.matcher(text).results().forEach(m -> labels.put(m.group(1), m.group(2)));
        return labels;
    }

    /** What the endpoint of a run serves, during its load and after it. */
    private static Set<Series> scraped(String options) {
        PipedInputStream told = new PipedInputStream(1 << 16);
        try (PrintStream err = new PrintStream(new PipedOutputStream(told), true, StandardCharsets.UTF_8)) {
            CompletableFuture<Integer> run = beside(() -> Main.run(
                    new Streams(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8), err),
                    Runs.words(options + " --prometheus 0 --metrics-linger 3 -q" + Runs.ON_A_BUSY_MACHINE)));
            BufferedReader lines = new BufferedReader(new InputStreamReader(told, StandardCharsets.UTF_8));
            URI metrics = URI.create(lines.readLine().replace("stress: metrics at ", ""));
            Set<Series> series = new LinkedHashSet<>();
            boolean isLoaded = false;
            while (!isLoaded && !run.isDone()) {
                List<Series> now = get(metrics).toList();
                series.addAll(now);
                isLoaded = now.stream()
                        .anyMatch(s -> s.isFoundBy("pgstress_latency_seconds_count", Map.of("phase", "measure")));
            }
            assertThat(lines.readLine()).contains("serving metrics");
            get(metrics).forEach(series::add);
            assertThat(run.join()).isIn(ExitCode.DONE, ExitCode.NOT_VALID);
            return series;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What goes on beside the test, on a thread of its own. */
    private static <T> CompletableFuture<T> beside(Supplier<T> what) {
        return CompletableFuture.supplyAsync(what, task -> new Thread(task, "beside").start());
    }

    private static Stream<Series> get(URI metrics) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(metrics).timeout(Duration.ofSeconds(5)).build();
        return HttpClient.newHttpClient()
                .send(request, BodyHandlers.ofLines())
                .body()
                .flatMap(line -> {
                    Matcher m = SERIES.matcher(line);
                    return m.matches()
                            ? Stream.of(new Series(m.group(1), m.group(2) == null ? Map.of() : labels(m.group(2))))
                            : Stream.empty();
                });
    }

    /** All texts named {@code expr}, at any depth. */
    private static List<String> queries(Object json) {
        List<String> found = new ArrayList<>();
        if (json instanceof Map<?, ?> map) {
            map.forEach((name, value) -> {
                if (name.equals("expr") && value instanceof String text) {
                    found.add(text);
                }
                found.addAll(queries(value));
            });
        } else if (json instanceof List<?> list) {
            list.forEach(value -> found.addAll(queries(value)));
        }
        return found;
    }
}
