package io.pgstress.cli;

import io.pgstress.interrupt.CommandPart;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import io.pgstress.target.driver.TargetException;
import io.pgstress.target.embedded.EmbeddedServer;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/**
 * {@code stress train}: runs each kind of work briefly on an embedded server of its own, in a temporary directory. The launcher
 * runs it in a JVM that records a start-up cache: see docs/dev/start-up-cache.md.
 */
final class TrainCommand extends Command {
    /** On a busy machine, no further command line begins after this time. */
    private static final long ENOUGH_SECONDS = 60;

    /** The process ends after this time, whatever it waits for. */
    private static final long MAX_SECONDS = 180;

    private static final String RUN = "--warmup 0 --table check_in --clients 24 ";

    private static final List<String> WITHOUT_SERVER = List.of(
            "--version",
            "--help",
            "generate DIR/small",
            "generate DIR/large --shape large --count 3000 --collection documents");

    /** Most of the time goes to what most runs do. {@code URL} is the server, {@code DIR} the directory for files. */
    private static final List<String> WITH_SERVER = List.of(
            "import DIR/small --url URL",
            "import DIR/large --url URL",
            RUN + "--url URL --duration 2500ms --json DIR/run.json --html DIR/run.html",
            RUN + "--url URL --duration 1s --statement extended --csv DIR/tables",
            RUN + "--url URL --duration 1s --statement plain",
            RUN + "--url URL --duration 500ms --statement plain --query-mode simple",
            RUN + "--url URL --duration 1s --client-threads platform",
            RUN + "--url URL --duration 1s --op find_in,find,find_update,find_insert",
            RUN + "--url URL --duration 300ms --rate 2000",
            "--warmup 200ms --url URL --duration 500ms --clients 8 --op tpcb --scale 1",
            "--warmup 0 --url URL --duration 500ms --clients 4 --op bulk_insert",
            "report DIR/run.json --html DIR/report.html");

    private volatile @Nullable EmbeddedServer server;

    TrainCommand(Streams streams) {
        super(streams, Subcommand.TRAIN, List.of());
    }

    @Override
    int run(ParseResult parsed, Options options, Problems problems) throws Exception {
        problems.throwIfAny();
        endAfter(MAX_SECONDS);
        long enough = System.nanoTime() + TimeUnit.SECONDS.toNanos(ENOUGH_SECONDS);
        streams.interruption()
                .enter(CommandPart.ofThread(
                        Thread.currentThread(), "the training to stop", "there is no start-up cache"));
        Path directory = Files.createTempDirectory("pgstress-train");
        try {
            run(WITHOUT_SERVER, "", directory, enough);
            try (EmbeddedServer opened = EmbeddedServer.open(directory.resolve("server"))) {
                server = opened;
                run(WITH_SERVER, opened.url(), directory, enough);
            } catch (TargetException e) {
                streams.note("the start-up cache is trained without a server: " + e.getMessage());
            }
        } finally {
            EmbeddedServer.deleteAll(directory);
        }
        return ExitCode.DONE;
    }

    /** Runs command lines without their output. A failure is reported, and leaves out only what this line would train. */
    private void run(List<String> lines, String url, Path directory, long enough) {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        for (String line : lines) {
            streams.interruption().check();
            if (System.nanoTime() - enough > 0) {
                streams.note("the machine is busy: '" + line + "' is skipped");
                continue;
            }
            List<String> arguments = new ArrayList<>();
            for (String word : line.split(" ", -1)) {
                arguments.add(word.replace("URL", url).replace("DIR", directory.toString()));
            }
            int code = Main.run(new Streams(nowhere, nowhere), arguments.toArray(String[]::new));
            if (!ExitCode.hasResult(code)) { // so short a run need not be valid
                streams.note("'" + line + "' ended with exit code " + code);
            }
        }
    }

    /** The command lines that it runs. */
    static List<String> lines() {
        return Stream.concat(WITHOUT_SERVER.stream(), WITH_SERVER.stream()).toList();
    }

    private void endAfter(long seconds) {
        Thread watchdog = new Thread(
                () -> {
                    try {
                        TimeUnit.SECONDS.sleep(seconds);
                        EmbeddedServer running = server;
                        if (running != null) {
                            running.close();
                        }
                        Runtime.getRuntime().halt(ExitCode.TARGET);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "training limit");
        watchdog.setDaemon(true);
        watchdog.start();
    }
}
