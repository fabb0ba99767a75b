package io.pgstress.testing.truth;

import io.pgstress.target.embedded.EmbeddedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The program of {@code bench/ground-truth}: runs every profile as a closed and an open loop, with this tool and with pgbench,
 * and compares each with the truth. Writes Markdown to stdout, and the picture to truth.svg in the directory. Arguments: directory for files,
 * clients, rate, seconds of warm-up, seconds of measurement, profiles (comma-separated), further options of stress.
 */
public final class GroundTruth {
    private final StressRun stress;
    private final PgbenchRun pgbench;
    private final TruthTable ours = new TruthTable("pgstress");
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
        boolean isPinned = System.getProperty(Command.CORES) != null;
        try (EmbeddedServer real = EmbeddedServer.open(directory.resolve("server"));
                TruthServer server = new TruthServer(real.port(), isPinned)) {
            if (isPinned) {
                yieldToClient(real, directory.resolve("yield.out"));
            }
            GroundTruth bench = new GroundTruth(directory, server, given.subList(6, given.size()));
            bench.run(cases, PgbenchRun.isInstalled(), directory.resolve("truth.svg"));
        }
    }

    private void run(List<Case> cases, boolean withPgbench, Path svg) throws IOException, InterruptedException {
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
        TruthPicture picture = new TruthPicture();
        ours.draw(picture);
        if (withPgbench) {
            theirs.draw(picture);
        }
        Files.writeString(svg, picture.svg());
        System.out.printf(
                Locale.ROOT,
                "%s%s are %s.%n%n![Reported times over the times of the server](../images/truth.svg)%n%n%s",
                ours.summary(),
                withPgbench ? ", and " + theirs.summary() + "," : "",
                TruthTable.goal(),
                machine);
        System.out.printf(
                Locale.ROOT,
                " %d clients; open loops at %.0f per second; %d s measured. Errors beyond the goal are **bold**.%n%npgstress, %d s of warm-up:%n%n%s",
                first.clients(),
                cases.stream().mapToDouble(Case::rate).max().orElseThrow(),
                first.measure().toSeconds(),
                first.warmup().toSeconds(),
                ours.markdown());
        if (withPgbench) {
            System.out.printf(Locale.ROOT, "%npgbench -M prepared -j 1, its log, no warm-up:%n%n%s", theirs.markdown());
        }
    }

    /** Moves the real server to the client's cores, where it runs only if the client does not need them (SCHED_IDLE). */
    private static void yieldToClient(EmbeddedServer real, Path output) throws IOException, InterruptedException {
        long postmaster;
        try (Connection connection = DriverManager.getConnection(real.url());
                Statement statement = connection.createStatement();
                ResultSet file = statement.executeQuery(
                        "select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::bigint")) {
            file.next();
            postmaster = file.getLong(1);
        } catch (SQLException e) {
            throw new IOException("the process of the real server is not known", e);
        }
        Stream<ProcessHandle> children = ProcessHandle.of(postmaster).stream().flatMap(ProcessHandle::descendants);
        for (long pid : LongStream.concat(LongStream.of(postmaster), children.mapToLong(ProcessHandle::pid))
                .toArray()) {
            String cores = System.getProperty(Command.CORES);
            if (Command.run(output, List.of("taskset", "-cp", cores, "" + pid)) != 0
                    || Command.run(output, List.of("chrt", "-i", "-p", "0", "" + pid)) != 0) {
                throw new IOException("the real server cannot be moved:\n" + Files.readString(output));
            }
        }
    }

    private static String machine() {
        String cores = System.getProperty(Command.CORES);
        return String.format(
                Locale.ROOT,
                "%s JDK %s.",
                cores == null
                        ? "Clients and test server share all cores."
                        : "The clients have core " + cores + ", the test server has another one.",
                Runtime.version().feature());
    }
}
