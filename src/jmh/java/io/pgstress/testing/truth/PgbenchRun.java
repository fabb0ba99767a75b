package io.pgstress.testing.truth;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A run of pgbench. It has no warm-up and prints no percentiles, so they are computed from its log (--log). The log has one
 * line per transaction: client, transaction, latency in us, script, end in s and us since the epoch, and with --rate the lag.
 * With --rate, the latency counts from the scheduled start.
 */
final class PgbenchRun {
    private static final Pattern RATE = Pattern.compile("(?m)^tps = ([0-9.]+)");
    private static final Pattern CONNECTING = Pattern.compile("(?m)^initial connection time = ([0-9.]+) ms");
    private static final int LATENCY = 2;
    private static final int END_SECONDS = 4;
    private static final int END_MICROS = 5;

    private final Path directory;
    private final TruthServer server;

    PgbenchRun(Path directory, TruthServer server) {
        this.directory = directory;
        this.server = server;
    }

    static boolean isInstalled() throws InterruptedException {
        try {
            return Command.run(Path.of("/dev/null"), List.of("pgbench", "--version")) == 0;
        } catch (IOException e) {
            return false; // it could not be started
        }
    }

    /** Runs a load without a warm-up. */
    Report of(Case load) throws IOException, InterruptedException {
        server.answerAfter(load.times());
        Path output = directory.resolve("pgbench.out");
        int exit = Command.run(output, command(load));
        String printed = Files.readString(output);
        if (exit != 0) {
            throw new IOException("pgbench ended with " + exit + ":\n" + printed);
        }
        List<Transaction> transactions = transactions();
        List<Double> sorted =
                transactions.stream().map(t -> (double) t.micros).sorted().toList();
        List<Double> micros = Report.PERCENTS.stream()
                .map(p -> sorted.get((int) Math.ceil(p / 100 * sorted.size()) - 1))
                .toList();
        long window = load.measure().toNanos() - Math.round(figure(CONNECTING, printed) * 1e6);
        return new Report(served(load, transactions, window), micros, figure(RATE, printed), "");
    }

    private static double figure(Pattern pattern, String printed) throws IOException {
        Matcher matcher = pattern.matcher(printed);
        if (!matcher.find()) {
            throw new IOException("pgbench has not printed " + pattern + ":\n" + printed);
        }
        return Double.parseDouble(matcher.group(1));
    }

    private List<String> command(Case load) throws IOException {
        try (Stream<Path> old = Files.list(directory)) {
            for (Path log : old.filter(PgbenchRun::isLog).toList()) {
                Files.delete(log);
            }
        }
        Path script = Files.writeString(directory.resolve("truth.sql"), TruthServer.STATEMENT + ";\n");
        List<String> command = new ArrayList<>(List.of("pgbench", "-n", "-h", "127.0.0.1", "-U", "postgres", "-M"));
        command.addAll(List.of("prepared", "-p", "" + server.port(), "-c", "" + load.clients(), "-j", "1"));
        command.addAll(List.of("-T", "" + load.measure().toSeconds(), "-f", script.toString(), "--log"));
        command.add("--log-prefix=" + directory.resolve("pgbench_log"));
        if (load.isOpen()) {
            command.addAll(List.of("-R", "" + load.rate()));
        }
        command.add("postgres");
        return command;
    }

    private static boolean isLog(Path file) {
        return file.getFileName().toString().startsWith("pgbench_log.");
    }

    /** One line of the log; the scheduled start is in microseconds since the epoch. */
    private record Transaction(long scheduled, long micros) {
        static Transaction of(String line) {
            String[] fields = line.split(" ", -1);
            long end = Long.parseLong(fields[END_SECONDS]) * 1_000_000 + Long.parseLong(fields[END_MICROS]);
            long micros = Long.parseLong(fields[LATENCY]);
            return new Transaction(end - micros, micros);
        }
    }

    private List<Transaction> transactions() throws IOException {
        List<Transaction> transactions = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path log : files.filter(PgbenchRun::isLog).toList()) {
                Files.readAllLines(log).forEach(l -> transactions.add(Transaction.of(l)));
            }
        }
        return transactions;
    }

    /**
     * Its arrivals are random: the truth of an open loop is that of its own schedule.
     *
     * @param window what is left of its duration (-T) after connecting
     */
    private Truth served(Case load, List<Transaction> transactions, long window) {
        List<Served> served = server.served();
        if (transactions.size() != served.size()) {
            throw new IllegalStateException(
                    "pgbench counts " + transactions.size() + " statements, the server " + served.size());
        }
        long[] scheduled = transactions.stream()
                .mapToLong(t -> t.scheduled * 1000)
                .sorted()
                .toArray();
        var operations =
                load.isOpen() ? Truth.open(load.clients(), scheduled, Truth.asServed(served)) : Truth.closed(served);
        return Truth.of(operations, 0, window);
    }
}
