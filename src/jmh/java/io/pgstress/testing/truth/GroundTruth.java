package io.pgstress.testing.truth;

import io.pgstress.target.embedded.EmbeddedServer;
import io.pgstress.target.embedded.EmbeddedServer.DataHome;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The program of {@code bench/ground-truth}: runs every profile as a closed and an open loop, with this tool and with pgbench,
 * and compares each with the truth. Writes Markdown to stdout. Arguments: directory for files, clients, rate, seconds of
 * warm-up, seconds of measurement, profiles (comma-separated), further options of stress.
 */
public final class GroundTruth {
    private final StressRun stress;
    private final PgbenchRun pgbench;
    private final TruthTable ours = new TruthTable("stress");
    private final TruthTable theirs = new TruthTable("pgbench");

    private GroundTruth(Path directory, TruthServer server, List<String> more) {
        stress = new StressRun(directory, server, more);
        pgbench = new PgbenchRun(directory, server);
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<String> given = List.of(arguments);
        Path directory = Path.of(given.get(0));
        int clients = Integer.parseInt(given.get(1));
        double rate = Double.parseDouble(given.get(2));
        Duration warmup = Duration.ofSeconds(Long.parseLong(given.get(3)));
        Duration measure = Duration.ofSeconds(Long.parseLong(given.get(4)));
        List<Profile> profiles = Stream.of(given.get(5).split(","))
                .map(p -> Profile.valueOf(p.toUpperCase(Locale.ROOT).replace('-', '_')))
                .toList();
        List<Case> cases = profiles.stream()
                .flatMap(p -> Stream.of(0.0, rate).map(r -> new Case(p, clients, r, warmup, measure)))
                .toList();
        try (EmbeddedServer real = EmbeddedServer.open(DataHome.of(System.getenv()));
                TruthServer server = new TruthServer(real.port())) {
            GroundTruth bench = new GroundTruth(directory, server, given.subList(6, given.size()));
            bench.run(cases, PgbenchRun.isInstalled());
        }
    }

    private void run(List<Case> cases, boolean withPgbench) throws IOException, InterruptedException {
        String machine = machine();
        Case first = cases.get(0);
        stress.of(first); // warms up the server, so that it is on time from the first case on
        for (Case load : cases) {
            System.err.println(load.name());
            ours.add(load, stress.of(load));
            if (withPgbench) {
                theirs.add(load.withoutWarmup(), pgbench.of(load.withoutWarmup()));
            }
        }
        System.out.printf(
                Locale.ROOT,
                "%s. %d clients; open loops at %.0f per second; %d s measured.%n%nstress, %d s of warm-up:%n%n%s",
                machine,
                first.clients(),
                cases.stream().mapToDouble(Case::rate).max().orElseThrow(),
                first.measure().toSeconds(),
                first.warmup().toSeconds(),
                ours.markdown());
        if (withPgbench) {
            System.out.printf(Locale.ROOT, "%npgbench -M prepared -j 1, its log, no warm-up:%n%n%s", theirs.markdown());
        }
    }

    /** The machine, and the other load on it. */
    private static String machine() {
        OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        return String.format(
                Locale.ROOT,
                "%d cores for clients and servers, load average %.1f before the first run, JDK %s",
                system.getAvailableProcessors(),
                system.getSystemLoadAverage(),
                Runtime.version().feature());
    }
}
