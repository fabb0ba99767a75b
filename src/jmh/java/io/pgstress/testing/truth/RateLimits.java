package io.pgstress.testing.truth;

import io.pgstress.plan.RateLimit;
import io.pgstress.result.RateSearch;
import io.pgstress.target.embedded.EmbeddedServer;
import io.pgstress.target.embedded.EmbeddedServer.DataHome;
import io.pgstress.text.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The program of {@code bench/rate-limit}: searches for the highest rate of queues whose highest rate is known, and compares. Writes
 * Markdown to stdout. Arguments: directory for files, number of searches, how many run at a time, first seed, further options of stress.
 */
public final class RateLimits {
    private static final int MAX_SECONDS = 180;
    private static final int SIMULATED = 4_000_000;
    private static final int DONE_BUT_NOT_VALID = 1;

    /** A queue and its limit. The times are seconds. */
    private record Queue(String text, int servers, RateLimit limit, ToDoubleFunction<SplittableRandom> seconds) {
        static Queue of(String text, int servers, String limit, ToDoubleFunction<SplittableRandom> seconds) {
            return new Queue(text, servers, RateLimit.parse(limit), seconds);
        }

        /** @param lagSeconds by which the answers were late */
        double truth(double lagSeconds) {
            return ServerQueue.highestRate(
                    servers, seconds, limit.micros() / 1e6 - lagSeconds, limit.share(), SIMULATED);
        }
    }

    private static final List<Queue> QUEUES = List.of(
            Queue.of("4 servers, exponential, 8 ms", 4, "p99<80ms", r -> -Math.log1p(-r.nextDouble()) * 0.008),
            Queue.of(
                    "8 servers, lognormal, median 8 ms, sigma 0.8",
                    8,
                    "p99<100ms",
                    r -> 0.008 * Math.exp(0.8 * r.nextGaussian())),
            Queue.of("4 servers, always 10 ms", 4, "p99<40ms", r -> 0.01),
            Queue.of("8 servers, 70% 4 ms, 30% 32 ms", 8, "p95<60ms", r -> r.nextDouble() < 0.7 ? 0.004 : 0.032));

    /**
     * A search.
     *
     * @param seconds from the start of the process to its end
     * @param lagSeconds by which the server's answers were late, on average
     */
    private record Search(Queue queue, long seed, int exit, double seconds, double lagSeconds, RateSearch found) {
        boolean contains(double truth) {
            return found.low() != null && found.high() != null && found.low() <= truth && truth <= found.high();
        }

        String row(double truth) {
            return String.format(
                    Locale.ROOT,
                    "| %s | %s | %d | %.0f | %s | %s to %s | %s | %d of %d | %s | %.3f | %.0f |%n",
                    queue.text,
                    queue.limit.text().replace("<", " < "),
                    seed,
                    truth,
                    number(found.rate()),
                    number(found.low()),
                    number(found.high()),
                    contains(truth) ? "yes" : "**no**",
                    found.held(),
                    found.confirmations(),
                    exit == 0 ? "yes" : "no",
                    lagSeconds * 1e3,
                    seconds);
        }

        private static String number(Double number) {
            return number == null ? "-" : String.format(Locale.ROOT, "%.0f", number);
        }
    }

    private final Path directory;
    private final int realPort;
    private final List<String> more;

    private RateLimits(Path directory, int realPort, List<String> more) {
        this.directory = directory;
        this.realPort = realPort;
        this.more = more;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException, ExecutionException {
        List<String> given = List.of(arguments);
        int searches = Integer.parseInt(given.get(1));
        int beside = Integer.parseInt(given.get(2));
        long firstSeed = Long.parseLong(given.get(3));
        try (EmbeddedServer real = EmbeddedServer.open(DataHome.of(System.getenv()))) {
            RateLimits bench = new RateLimits(Path.of(given.get(0)), real.port(), given.subList(4, given.size()));
            print(bench.all(searches, beside, firstSeed));
        }
    }

    private List<Search> all(int searches, int beside, long firstSeed)
            throws IOException, InterruptedException, ExecutionException {
        Files.writeString(directory.resolve("truth.yaml"), StressRun.OPERATION);
        ExecutorService threads = Executors.newFixedThreadPool(beside);
        try {
            List<Future<Search>> running = IntStream.range(0, searches)
                    .mapToObj(i -> threads.submit(() -> search(QUEUES.get(i % QUEUES.size()), firstSeed + i)))
                    .toList();
            List<Search> found = new ArrayList<>();
            for (Future<Search> search : running) {
                found.add(search.get());
            }
            return found;
        } finally {
            threads.shutdownNow();
        }
    }

    private Search search(Queue queue, long seed) throws IOException, InterruptedException {
        try (TruthServer server = new TruthServer(realPort)) {
            ServerQueue times = new ServerQueue(queue.servers, queue.seconds, seed);
            server.answerAfter(times);
            Path json = directory.resolve("search-" + seed + ".json");
            Path log = directory.resolve("search-" + seed + ".log");
            long start = System.nanoTime();
            int exit = Command.run(log, command(server.port(), queue, seed, json));
            double seconds = (System.nanoTime() - start) / 1e9;
            if (exit > DONE_BUT_NOT_VALID) {
                throw new IOException("stress ended with " + exit + ":\n" + Files.readString(log));
            }
            List<Served> served = server.served();
            double late = served.stream().mapToLong(Served::nanos).sum() / 1e9 - times.planned();
            RateSearch found = Json.read(Files.readString(json), RateSearch.class);
            System.err.printf(
                    Locale.ROOT,
                    "seed %d, %s: %.0f s, exit %d, %s%n",
                    seed,
                    queue.text,
                    seconds,
                    exit,
                    String.join(" ", found.verdict()));
            return new Search(queue, seed, exit, seconds, late / Math.max(1, served.size()), found);
        }
    }

    private List<String> command(int port, Queue queue, long seed, Path json) {
        List<String> command = new ArrayList<>(List.of(
                "./stress",
                "tune",
                "--url=jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres",
                "--operations=" + directory.resolve("truth.yaml"),
                "--op=truth",
                "--limit=" + queue.limit.text(),
                "--clients=64",
                "--arrival=poisson",
                "--seed=" + seed,
                "--json=" + json));
        command.addAll(more);
        return command;
    }

    private static void print(List<Search> searches) {
        System.out.print(
                "| queue | limit | seed | true rate | found | interval | contains it | kept | valid | lag ms | seconds"
                        + " |\n"
                        + "|---|---|--:|--:|--:|---|---|---|---|--:|--:|\n");
        int contained = 0;
        double width = 0;
        for (Search search : searches) {
            double truth = search.queue.truth(search.lagSeconds);
            System.out.print(search.row(truth));
            contained += search.contains(truth) ? 1 : 0;
            Double low = search.found.low();
            Double high = search.found.high();
            width += low == null || high == null ? 0 : (high - low) / truth / searches.size();
        }
        double longest = searches.stream().mapToDouble(Search::seconds).max().orElse(0);
        System.out.printf(
                Locale.ROOT,
                "%n%d of %d intervals contain the true rate; their mean width is %.1f%%. %d of %d searches are valid. "
                        + "The longest took %.0f s; %d took less than %d s.%n",
                contained,
                searches.size(),
                100 * width,
                searches.stream().filter(s -> s.exit == 0).count(),
                searches.size(),
                longest,
                searches.stream().filter(s -> s.seconds < MAX_SECONDS).count(),
                MAX_SECONDS);
    }
}
